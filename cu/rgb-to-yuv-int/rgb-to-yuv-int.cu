// A thread makes two by two luma values, and one pair of chroma from their mean, the half rounded up. At odd
// edges the last column or row counts twice.
namespace {

__device__ uchar3 pixelAt(const uchar3* rgb, int width, int height, int x, int y) {
  return rgb[min(y, height - 1) * width + min(x, width - 1)];
}

} // namespace

extern "C" __global__ void rgb_to_yuv_int(const uchar3* __restrict__ rgb, unsigned char* __restrict__ luma,
                                          uchar2* __restrict__ chroma, int width, int height) {
  int cx = blockIdx.x * blockDim.x + threadIdx.x, cy = blockIdx.y * blockDim.y + threadIdx.y;
  if (2 * cx >= width || 2 * cy >= height) return;
  int red = 0, green = 0, blue = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    int x = 2 * cx + i % 2, y = 2 * cy + i / 2;
    uchar3 p = pixelAt(rgb, width, height, x, y);
    red += p.x;
    green += p.y;
    blue += p.z;
    if (x < width && y < height)
      luma[y * width + x] = static_cast<unsigned char>(((66 * p.x + 129 * p.y + 25 * p.z + 128) >> 8) + 16);
  }
  red = (red + 2) / 4;
  green = (green + 2) / 4;
  blue = (blue + 2) / 4;
  uchar2 uv;
  uv.x = static_cast<unsigned char>(((-38 * red - 74 * green + 112 * blue + 128) >> 8) + 128);
  uv.y = static_cast<unsigned char>(((112 * red - 94 * green - 18 * blue + 128) >> 8) + 128);
  chroma[cy * ((width + 1) / 2) + cx] = uv;
}
