#include "harness/cli/app.h"

#include "harness/base/log.h"
#include "harness/base/subprocess.h"
#include "harness/base/text.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <string>
#include <vector>

namespace harness::cli {

namespace {

ExitCode complain(ExitCode code, const char* what) {
  Log::clearStatus();
  std::fprintf(stderr, "harness: %s\n", escapeControls(what).c_str());
  return code;
}

/// True if nobody reads standard output any more, as after `| head`: then what is left of it is not missed.
bool readerIsGone() {
  pollfd output{STDOUT_FILENO, 0, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR);
}

ExitCode guarded(const Action& action) {
  try {
    ExitCode code = action();
    bool written = std::fflush(stdout) == 0 && !std::ferror(stdout);
    if (!written && !readerIsGone())
      return complain(ExitCode::Environment, "cannot write to standard output; is the disk full?");
    return code;
  } catch (const Error& error) {
    return complain(error.exitCode(), error.what());
  } catch (const std::bad_alloc&) {
    return complain(ExitCode::Environment, "there is not enough memory");
  } catch (const std::exception& error) {
    return complain(ExitCode::Environment, error.what());
  }
}

/// The commands as they were given, the outermost first: harness, case, new.
std::vector<const CLI::App*> chosenCommands(const CLI::App& app) {
  std::vector<const CLI::App*> chosen{&app};
  while (!chosen.back()->get_subcommands().empty())
    chosen.push_back(chosen.back()->get_subcommands().front());
  return chosen;
}

std::vector<std::string> commandsOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({}))
    if (!command->get_name().empty()) names.push_back(command->get_name()); // a group of options has none
  return names;
}

std::string withoutDashes(const std::string& word) {
  return word.substr(std::min(word.find_first_not_of('-'), word.size()));
}

/// "there is no command 'querry' (did you mean 'query'?)". `names` are without dashes.
std::string noSuch(const char* kind, const std::string& word, const std::vector<std::string>& names) {
  std::string near = nearest(withoutDashes(word), names);
  return "there is no " + std::string(kind) + " '" + word + "'" +
         (near.empty() ? "" : " (did you mean '" + (word.starts_with('-') ? "--" + near : near) + "'?)");
}

void addOptions(const CLI::App& command, std::vector<std::string>& names) {
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames())
      names.push_back(name);
  for (const CLI::App* group : command.get_subcommands({}))
    if (group->get_name().empty()) addOptions(*group, names);
}

/// What is said of words that nothing takes: of an option, if there is one, since it may have taken the
/// others. `commands` are the chosen ones.
std::string describeUnknown(const std::vector<std::string>& words,
                            const std::vector<const CLI::App*>& commands) {
  auto isOption = [](const std::string& word) { return word.starts_with('-'); };
  auto option = std::find_if(words.begin(), words.end(), isOption);
  if (option == words.end()) return "nothing takes '" + words.front() + "' here";
  std::string name = option->substr(0, option->find('='));
  std::vector<std::string> names;
  for (const CLI::App* command : {commands.front(), commands.back()})
    addOptions(*command, names);
  if (std::find(names.begin(), names.end(), withoutDashes(name)) != names.end())
    return "'" + name + "' must stand behind '" + commands.back()->get_name() + "'";
  return noSuch("option", name, names);
}

/// "harness: --matrix is required; 'harness run --help' shows what there is"
std::string usageMessage(const CLI::App* app, const CLI::Error& error) {
  std::vector<const CLI::App*> commands = chosenCommands(*app);
  std::vector<std::string> path;
  for (const CLI::App* command : commands)
    path.push_back(command->get_name());
  std::vector<std::string> unknown = app->remaining(true), further = commandsOf(*commands.back());
  std::string what = error.what();
  auto is = [&](CLI::ExitCodes kind) { return error.get_exit_code() == static_cast<int>(kind); };
  bool lacks = is(CLI::ExitCodes::RequiredError);
  if (lacks && !further.empty())
    what = unknown.empty() ? "a command is missing" : noSuch("command", unknown.front(), further);
  else if ((lacks || is(CLI::ExitCodes::ExtrasError)) && !unknown.empty())
    what = describeUnknown(unknown, commands); // what lacks may be what was mistyped
  return "harness: " + escapeControls(what) + "; '" + join(path, " ") + " --help' shows what there is\n";
}

/// True if `check` was asked for, be it misspelt.
bool meansCheck(const CLI::App& app) {
  if (app.got_subcommand("check")) return true;
  std::vector<std::string> words = app.remaining();
  return app.get_subcommands().empty() && !words.empty() &&
         nearest(words.front(), commandsOf(app)) == "check";
}

/// `git bisect run` takes every code from 1 to 127 but 125 for a verdict on the commit. So whatever keeps
/// `check` from judging (a mistyped option, no such case at this revision, a full disk …) is "cannot tell".
ExitCode forBisection(const CLI::App& app, ExitCode code) {
  bool isVerdict = code != ExitCode::Usage && code != ExitCode::Environment;
  return isVerdict || !meansCheck(app) ? code : ExitCode::CannotTell;
}

} // namespace

ExitCode runApp(int argc, char** argv) {
  installInterruptHandler();
  CLI::App app{
      "Compiles every kernel under every CUDA toolchain, runs the machine code on the CPU and compares it, "
      "byte for byte, with an independent reference.",
      "harness"};
  app.require_subcommand(1);
  app.fallthrough(); // the options below may stand after the command too
  app.failure_message(usageMessage);
  app.set_version_flag("--version", "harness " HARNESS_VERSION);
  app.footer("A CELL is CASE@TOOLCHAIN/ARCH/OPT, e.g. halfstore@13.0.88/sm_120a/O3.\n"
             "Exit codes: 0 as expected, 1 regressed, 2 bad usage, 3 the environment lacks something,\n"
             "4 undecided, 125 (check, bisect) cannot tell, 130 interrupted. check has 125 for 2 and 3 too.");
  WorkspaceOptions options;
  app.add_option("--root", options.root,
                 "The checkout with repros/, cu/ and matrix/ (default: around the current "
                 "directory, or around this program)")
      ->envname("HARNESS_ROOT");
  app.add_option("--cache-dir", options.cacheDir,
                 "Where artifacts and toolchains are kept (default: "
                 "cuda-miscompile-harness in XDG_CACHE_HOME or ~/.cache)")
      ->envname("HARNESS_CACHE_DIR");
  app.add_option("--toolchains-dir", options.toolchainsDir,
                 "Where toolchains are installed (default: in the cache)")
      ->envname("HARNESS_TOOLCHAINS_DIR");

  Action action;
  std::vector<std::string> arguments(argv, argv + argc);
  if (!arguments.empty()) arguments.front() = "harness";
  addRun(app, options, shellCommand(arguments), action);
  addQuery(app, options, action);
  addShow(app, options, action);
  addExplain(app, options, action);
  addDiff(app, options, action);
  addCheck(app, options, action);
  addBisect(app, options, shellCommand(arguments), action);
  addGuard(app, options, action);
  addBundle(app, options, action);
  addReport(app, options, action);
  addToolchain(app, options, action);
  addCase(app, options, action);
  addCoverage(app, options, action);
  addExec(app, options, action);
  addMma(app, options, action);
  addReceipt(app, options, action);
  addVectors(app, options, action);
  addDoctor(app, options, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    app.exit(success);
    return ExitCode::Ok;
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return forBisection(app, ExitCode::Usage);
  }
  return forBisection(app, guarded(action));
}

} // namespace harness::cli
