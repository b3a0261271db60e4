// A warp's tile of 32 x 8 integers below 1000, in plain C, which the front end narrows to 16 bits; of the
// eight values of a lane the even ones are stored.
extern "C" __global__ void packedAddTile(int* out) {
  int row = threadIdx.x;
  int tile[8];
#pragma unroll
  for (int column = 0; column < 8; ++column) {
    int index = 8 * row + column;
    tile[column] = row % 2 == 1 ? (index * 9 + 1) % 1000 : index;
  }
#pragma unroll
  for (int column = 0; column < 8; column += 2)
    out[4 * row + column / 2] = tile[column];
}
