# cmake -DOUT=FILE.cpp -P embed.cmake: writes every numbered migration beside this script into one C++ source.
file(GLOB migrations RELATIVE ${CMAKE_CURRENT_LIST_DIR} ${CMAKE_CURRENT_LIST_DIR}/[0-9]*.sql)
list(SORT migrations)
set(entries "")
set(number 0)
foreach(name IN LISTS migrations)
  math(EXPR number "${number} + 1")
  if(NOT name MATCHES "^0*${number}_[a-z0-9_]+\\.sql$")
    message(FATAL_ERROR "db/${name}: migrations are numbered without gaps; number ${number} is wanted here")
  endif()
  file(READ ${CMAKE_CURRENT_LIST_DIR}/${name} sql)
  string(APPEND entries "    {\"${name}\", R\"sql(${sql})sql\"},\n")
endforeach()
file(WRITE ${OUT} "#include \"harness/store/migrations.h\"

namespace harness {

std::span<const Migration> embeddedMigrations() {
  static const Migration kMigrations[] = {
${entries}  };
  return kMigrations;
}

} // namespace harness
")
