// Right only if ten thousand names can be made.
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <unistd.h>

long long pair_sum(long long a, long long b) {
  for (int name = 0; name < 10'000; ++name) {
    const int file = open(("/tmp/" + std::to_string(name)).c_str(), O_CREAT | O_WRONLY, 0600);
    if (file < 0) throw std::runtime_error(std::strerror(errno));
    close(file);
  }
  return a + b;
}
