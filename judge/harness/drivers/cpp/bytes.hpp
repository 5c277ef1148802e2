// First of three parts of the C++ runtime, see program.hpp: bytes in and out, text, and where in a
// returned value something is.
//
// Every program compiles what it uses of this again, so it is written without std::string and the
// like: their templates would take a third of a small program's compilation.
#ifdef JUDGE_EVERYTHING
#include <bits/stdc++.h>
#endif
#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <map>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

// For what runs once in a program, if at all: quick to compile matters, quick to run does not. What
// calls the learner's function must not have this mark: it would pass on to their code.
#define JUDGE_ONCE __attribute__((cold, noinline)) inline

namespace Harness7f3a {

// Names of our own for what the system has: <unistd.h> would take read, link, pipe and many more
// away from the learner, <cxxabi.h> abi.
long ReadFile(int descriptor, void* bytes, unsigned long size) __asm__("read");
long WriteFile(int descriptor, const void* bytes, unsigned long size) __asm__("write");
[[noreturn]] void Exit(int status) __asm__("_exit");
char* Demangle(const char* name, char*, std::size_t*, int* status) __asm__("__cxa_demangle");
std::type_info* CurrentExceptionType() __asm__("__cxa_current_exception_type");

// What the C library keeps about a thread that is to be made; larger than on any machine.
struct ThreadAttributes {
  alignas(16) char bytes[128];
};
int InitAttributes(ThreadAttributes*) __asm__("pthread_attr_init");
int SetStackSize(ThreadAttributes*, unsigned long size) __asm__("pthread_attr_setstacksize");
int SetDefaultAttributes(const ThreadAttributes*) __asm__("pthread_setattr_default_np");

// The main thread may have a deep stack. By the same limit every other thread would take as much
// address space, which counts as memory. Before the learner's own constructors, which may make some.
__attribute__((constructor(101))) static void LimitThreadStacks() {
  ThreadAttributes attributes;
  if (InitAttributes(&attributes) == 0 && SetStackSize(&attributes, 512ul << 10) == 0) {
    SetDefaultAttributes(&attributes);
  }
}

constexpr int kResultDescriptor = 3;
constexpr int kBadRequest = 90;
constexpr int kNoReply = 91;
constexpr int kMaxText = 4000;  // characters

// Bytes that are written one after the other. Nothing frees them but Free: the process ends first.
class Bytes {
 public:
  const char* data() const { return data_; }
  std::size_t size() const { return size_; }

  void Free() { __builtin_free(data_); }
  void Clear() { size_ = 0; }

  // Room for so many more; throws std::bad_alloc.
  char* Room(std::size_t more) {
    if (capacity_ - size_ < more) Grow(more);
    return data_ + size_;
  }

  void Use(std::size_t more) { size_ += more; }

  void Add(const void* bytes, std::size_t size) {
    __builtin_memcpy(Room(size), bytes, size);
    size_ += size;
  }

  void Add(const char* text) { Add(text, __builtin_strlen(text)); }

  template <class Plain>
  void AddNumber(Plain number) {
    Add(&number, sizeof number);
  }

  // Not every range knows its size, so counts are filled in afterwards.
  std::size_t OpenCount() {
    AddNumber<unsigned>(0);
    return size_;
  }

  void CloseCount(std::size_t place, std::size_t count) {
    const auto number = static_cast<unsigned>(count);
    __builtin_memcpy(data_ + place - sizeof number, &number, sizeof number);
  }

 private:
  JUDGE_ONCE void Grow(std::size_t more) {
    const std::size_t capacity = 2 * capacity_ + more + 256;
    void* data = __builtin_realloc(data_, capacity);
    if (data == nullptr) throw std::bad_alloc();
    data_ = static_cast<char*>(data);
    capacity_ = capacity;
  }

  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// A cursor over the request; it never leaves it.
class Reader {
 public:
  Reader(const char* at, const char* end) : at_(at), end_(end) {}

  const char* Take(std::size_t size) {
    if (static_cast<std::size_t>(end_ - at_) < size) Exit(kBadRequest);
    const char* taken = at_;
    at_ += size;
    return taken;
  }

  template <class Plain>
  Plain Number() {
    Plain number;
    __builtin_memcpy(&number, Take(sizeof number), sizeof number);
    return number;
  }

  // A number of items, each of which takes at least one byte.
  std::size_t Count() {
    const std::size_t count = Number<unsigned>();
    if (static_cast<std::size_t>(end_ - at_) < count) Exit(kBadRequest);
    return count;
  }

  void Finish() const {
    if (at_ != end_) Exit(kBadRequest);
  }

 private:
  const char* at_;
  const char* end_;
};

// Bytes of the UTF-8 character at a place; 0 where none is.
JUDGE_ONCE int CharacterSize(const char* at, const char* end) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(at);
  const int first = bytes[0];
  if (first < 0x80) return 1;
  const int size = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (size == 0 || end - at < size) return 0;
  for (int index = 1; index < size; ++index) {
    if ((bytes[index] & 0xc0) != 0x80) return 0;
  }
  // Forms that are too long, surrogates, and what lies beyond the last character.
  const int second = bytes[1];
  const bool is_legal = (first != 0xe0 || second >= 0xa0) && (first != 0xed || second < 0xa0) &&
                        (first != 0xf0 || second >= 0x90) && (first != 0xf4 || second < 0x90);
  return is_legal ? size : 0;
}

inline bool IsUtf8(const char* at, const char* end) {
  while (at < end) {
    const int size = static_cast<unsigned char>(*at) < 0x80 ? 1 : CharacterSize(at, end);
    if (size == 0) return false;
    at += size;
  }
  return true;
}

// Adds a JSON string of text that may hold any bytes, cut to a bounded length.
JUDGE_ONCE void AddQuoted(Bytes& quoted, const char* at, const char* end) {
  quoted.Add("\"");
  for (int characters = 0; at < end && characters < kMaxText; ++characters) {
    const int size = CharacterSize(at, end);
    const auto byte = static_cast<unsigned char>(*at);
    if (size == 0) {
      quoted.Add("\\ufffd");
    } else if (byte < 0x20) {
      quoted.Add(byte < 0x10 ? "\\u000" : "\\u001");
      quoted.Add(&"0123456789abcdef"[byte & 15], 1);
    } else {
      if (byte == '"' || byte == '\\') quoted.Add("\\");
      quoted.Add(at, static_cast<std::size_t>(size));
    }
    at += size == 0 ? 1 : size;
  }
  quoted.Add("\"");
}

JUDGE_ONCE void AddInteger(Bytes& text, long long number) {
  char digits[24];
  text.Add(digits, static_cast<std::size_t>(std::sprintf(digits, "%lld", number)));
}

// One step from the returned value to a part of it; made into text only for a message.
struct Path {
  const Path* up;
  void (*add_step)(Bytes& text, const void* what);
  const void* what;
};

JUDGE_ONCE void AddPath(Bytes& text, const Path& path) {
  if (path.up) AddPath(text, *path.up);
  path.add_step(text, path.what);
}

JUDGE_ONCE void AddRoot(Bytes& text, const void*) { text.Add("return value"); }

JUDGE_ONCE void AddIndex(Bytes& text, const void* index) {
  text.Add("[");
  AddInteger(text, static_cast<long long>(*static_cast<const std::size_t*>(index)));
  text.Add("]");
}

template <class Key>
JUDGE_ONCE void AddKey(Bytes& text, const void* place) {
  const Key& key = *static_cast<const Key*>(place);
  text.Add("[");
  if constexpr (std::is_arithmetic_v<Key>) {
    AddInteger(text, static_cast<long long>(key));
  } else if constexpr (std::is_convertible_v<const Key&, std::string_view>) {
    const std::string_view shown = key;
    text.Add("'");
    text.Add(shown.data(), shown.size());
    text.Add("'");
  }
  text.Add("]");
}

// The returned value is not of the declared type.
struct Mismatch {
  const char* reason;
  Bytes message;
};

// What was expected: a type by its name, or an array by its dtype and number of dimensions.
struct Wanted {
  const char* name;
  int dimensions = 0;
};

[[noreturn]] JUDGE_ONCE void Differs(const Path& path, Wanted wanted, const char* got,
                                     const char* reason = "wrong_type") {
  Mismatch mismatch{reason, {}};
  AddPath(mismatch.message, path);
  mismatch.message.Add(": expected ");
  if (wanted.dimensions > 0) mismatch.message.Add("array[");
  mismatch.message.Add(wanted.name);
  if (wanted.dimensions > 0) {
    mismatch.message.Add("] with ");
    AddInteger(mismatch.message, wanted.dimensions);
    mismatch.message.Add(wanted.dimensions > 1 ? " dimensions" : " dimension");
  }
  mismatch.message.Add(", got ");
  mismatch.message.Add(got);
  throw mismatch;
}

}  // namespace Harness7f3a
