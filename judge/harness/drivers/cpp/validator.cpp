// Linked to a Kattis output validator in C++ with --wrap=main: puts the files of one case into the
// box's own folder, calls the validator with their names, and hands back on descriptor 3 what it
// wrote to judgemessage.txt. Request, on descriptor 0: blocks of a u32 length and that many bytes:
// input, answer, output, then the arguments.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

extern "C" int __real_main(int, char**);

namespace {

const int kResult = 3;
const std::size_t kMaxMessage = 4000;
// Neither an exit of the validator's nor that of its validator is this one.
const int kBroken = 70;

std::string ReadAll(int descriptor, std::size_t most) {
  std::string text;
  char buffer[1 << 16];
  ssize_t size;
  while (text.size() < most && (size = read(descriptor, buffer, sizeof buffer)) > 0) {
    text.append(buffer, size);
  }
  return text.substr(0, most);
}

void Write(int descriptor, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t size = write(descriptor, text.data() + done, text.size() - done);
    if (size <= 0) _exit(kBroken);
    done += size;
  }
}

void WriteFile(const char* name, const std::string& text) {
  const int file = open(name, O_WRONLY | O_CREAT, 0600);
  if (file < 0) _exit(kBroken);
  Write(file, text);
  close(file);
}

std::vector<std::string> Split(const std::string& request) {
  std::vector<std::string> blocks;
  for (std::size_t at = 0; at + 4 <= request.size();) {
    std::uint32_t size = 0;
    for (int byte = 3; byte >= 0; --byte) {
      size = size << 8 | static_cast<unsigned char>(request[at + byte]);
    }
    blocks.push_back(request.substr(at + 4, size));
    at += 4 + size;
  }
  return blocks;
}

void Tell() {
  const int file = open("feedback/judgemessage.txt", O_RDONLY);
  if (file >= 0) Write(kResult, ReadAll(file, kMaxMessage));
}

}  // namespace

extern "C" int __wrap_main(int, char**) {
  std::vector<std::string> blocks = Split(ReadAll(0, static_cast<std::size_t>(-1)));
  if (blocks.size() < 3) _exit(kBroken);
  WriteFile("input", blocks[0]);
  WriteFile("answer", blocks[1]);
  WriteFile("output", blocks[2]);
  mkdir("feedback", 0700);
  const int output = open("output", O_RDONLY);
  if (output < 0 || dup2(output, 0) < 0) _exit(kBroken);
  close(output);
  std::atexit(Tell);
  std::vector<std::string> names = {"validator", "input", "answer", "feedback/"};
  names.insert(names.end(), blocks.begin() + 3, blocks.end());
  std::vector<char*> arguments;
  for (std::string& name : names) arguments.push_back(&name[0]);
  arguments.push_back(nullptr);
  std::exit(__real_main(static_cast<int>(names.size()), arguments.data()));
}
