// A policy derived from two empty bases and one with members, with offset calculators as members, by value
// and copied.
struct Empty {};
struct Tag : Empty {
  __device__ unsigned twist(unsigned v) const { return v ^ 0x5a5a; }
};
struct Base {
  unsigned char kind;
  unsigned sizes[2];
};
struct Offsets : Empty {
  unsigned stride[2];
  unsigned short bias;
  __device__ unsigned at(unsigned i) const { return i / stride[0] * stride[1] + i % stride[0] + bias; }
};
struct View {
  Offsets offsets;
  const unsigned* data;
  View() = default;
  View(const View&) = default;
};
struct Policy : Empty, Tag, Base {
  View views[2];
  Offsets output;
  unsigned char last;
};

__device__ __noinline__ unsigned use(Policy p, unsigned i) {
  const View& view = p.views[(i + p.kind) % 2];
  return p.twist(view.data[view.offsets.at(i) % 64]) + p.sizes[i % 2] * p.last;
}

extern "C" __global__ void derivedStructArgs(const unsigned* in, const unsigned* policy, unsigned* out,
                                             unsigned shift) {
  unsigned t = threadIdx.x;
  Policy p;
  p.kind = static_cast<unsigned char>(policy[0]);
  p.sizes[0] = policy[1];
  p.sizes[1] = policy[2];
  for (int v = 0; v < 2; ++v) {
    p.views[v].offsets.stride[0] = policy[4 + v] + 3;
    p.views[v].offsets.stride[1] = policy[6 + v];
    p.views[v].offsets.bias = static_cast<unsigned short>(policy[8 + v]);
    p.views[v].data = in + v * shift;
  }
  p.views[1].data -= shift;
  p.output = p.views[t % 2].offsets;
  p.last = static_cast<unsigned char>(policy[11]);
  Policy copy = p;
  copy.views[0] = View(p.views[1]);
  out[t * 3] = use(p, t);
  out[t * 3 + 1] = use(copy, t);
  out[t * 3 + 2] = p.output.at(t) + p.kind;
}
