#include <cstdio>
#include <vector>

#include "client-lib/Client.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: first_read CLIENT.TOML PATH\n");
    return 2;
  }
  const auto config = shift::client::loadClientConfig(argv[1]);
  const auto client = config ? shift::client::Client::create(*config) : config.error();
  const auto file = client ? (*client)->open(argv[2], {.job = "my-first-job"}) : client.error();
  std::vector<std::byte> buffer(1 << 20);
  const auto got = file ? (*client)->pread(*file, buffer, 0) : file.error();
  if (!got) {
    std::fprintf(stderr, "%s\n", got.error().message.c_str());
    return 1;
  }
  std::printf("%zu bytes, %zu of them from nodes\n", *got, std::size_t((*client)->stats().bytesFromNodes));
}
