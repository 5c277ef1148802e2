// Runs inside a C++ box: reads the arguments, calls the learner's function once (Once), or once for
// each row of one of them (Draws), writes one reply.
//
// The compiler reads the runtime (bytes.hpp, types.hpp and this file, in this order) before the
// learner's code, so that no macro of theirs can change it, and keeps it as a precompiled header.
// What follows the learner's code (judge.harness.cpp_unit) is a few lines that hand their function
// to Program<...>::Run. It shares its process with that code: nothing that it writes is believed
// for more than "this is what the learner's program answered".
//
// Request on descriptor 0, to its end: the arguments in the form of judge.harness.wire. Reply on
// descriptor 3: one byte kind, then a value in wire form (kind V) or a JSON object (M mismatch,
// R raised, O out of memory). Parameters are of exactly the problem's types; a returned value may
// be of any type that holds the same without loss.
namespace Harness7f3a {

JUDGE_ONCE Bytes ReadRequest() {
  Bytes request;
  for (std::size_t step = 1 << 16;; step = 1 << 20) {
    const long got = ReadFile(0, request.Room(step), step);
    if (got == 0) return request;
    if (got < 0 && errno != EINTR) Exit(kBadRequest);
    if (got > 0) request.Use(static_cast<std::size_t>(got));
  }
}

template <class Stream>
JUDGE_ONCE void Flush(Stream& stream) {
  // The stream itself may be in a failed state, or throw; its buffer knows nothing of that.
  try {
    if (auto* buffer = stream.rdbuf()) buffer->pubsync();
  } catch (...) {
  }
}

// Ends the process: destructors and exit handlers of the learner's have nothing more to say.
template <class... Streams>
[[noreturn]] JUDGE_ONCE void Answer(const Bytes& frame, Streams&... streams) {
  (Flush(streams), ...);
  std::fflush(nullptr);
  for (std::size_t done = 0; done < frame.size();) {
    const long written = WriteFile(kResultDescriptor, frame.data() + done, frame.size() - done);
    if (written < 0 && errno != EINTR) Exit(kNoReply);
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  Exit(0);
}

// Which of many calls of the function is at work; of a single one nothing is said.
struct Turn {
  std::size_t number = 0;
  std::size_t planned = 0;
};

JUDGE_ONCE void AddTurn(Bytes& text, const Turn& turn) {
  if (turn.planned == 0) return;
  text.Add("\nin draw ");
  AddInteger(text, static_cast<long long>(turn.number));
  text.Add(" of ");
  AddInteger(text, static_cast<long long>(turn.planned));
}

JUDGE_ONCE void SetMismatch(Bytes& frame, const Mismatch& mismatch, const Turn& turn) {
  Bytes message;
  message.Add(mismatch.message.data(), mismatch.message.size());
  AddTurn(message, turn);
  frame.Clear();
  frame.Add("M{\"reason\": \"");
  frame.Add(mismatch.reason);
  frame.Add("\", \"message\": ");
  AddQuoted(frame, message.data(), message.data() + message.size());
  frame.Add("}");
}

JUDGE_ONCE void SetOutOfMemory(Bytes& frame) {
  frame.Clear();
  frame.Add("O{}");
}

// A class's name without the marks of libstdc++'s second set of names, which nobody writes.
JUDGE_ONCE void AddClassName(Bytes& text, const std::type_info* type) {
  int status = -1;
  const char* name = type ? Demangle(type->name(), nullptr, nullptr, &status) : nullptr;
  if (name == nullptr) name = "exception";
  while (*name != '\0') {
    for (const char* mark : {"__cxx11::", "[abi:cxx11]"}) {
      const std::size_t size = __builtin_strlen(mark);
      if (__builtin_strncmp(name, mark, size) == 0) name += size;
    }
    if (*name != '\0') text.Add(name++, 1);
  }
}

// An exception that is no std::exception has no text.
JUDGE_ONCE void SetRaised(Bytes& frame, const std::exception* error, const Turn& turn) {
  const char* what = "an exception that is not derived from std::exception";
  Bytes message;
  AddClassName(message, error ? &typeid(*error) : CurrentExceptionType());
  const std::size_t name_size = message.size();
  if (error) what = error->what();
  message.Add(": ");
  if (what) message.Add(what);
  AddTurn(message, turn);
  frame.Clear();
  frame.Add("R{\"error_class\": ");
  AddQuoted(frame, message.data(), message.data() + name_size);
  frame.Add(", \"message\": ");
  AddQuoted(frame, message.data(), message.data() + message.size());
  frame.Add(", \"line\": 0}");
}

// What happens while the reply is made, such as a what() that throws, must not end the process.
JUDGE_ONCE void TrySetRaised(
    Bytes& frame, const std::exception* error, const Turn& turn) noexcept {
  try {
    SetRaised(frame, error, turn);
  } catch (...) {
    SetOutOfMemory(frame);
  }
}

// A type of which there are values.
struct Nothing {};
template <class Got>
using Something = std::conditional_t<std::is_void_v<Got>, Nothing, Got>;

// A function template of its own, because the compiler names Got when an assertion fails; the texts
// are read by judge.harness.cpp_diagnostics.
template <class Want, class Got>
constexpr bool CheckReturn() {
  constexpr Fault fault = Want::template Check<Something<Got>>();
  static_assert(fault != Fault::kFloatingForWhole, "floating for whole");
  static_assert(fault != Fault::kFlagForNumber, "flag for number");
  static_assert(fault != Fault::kNumberForFlag, "number for flag");
  static_assert(fault != Fault::kOther, "other type");
  return fault == Fault::kNone;
}

template <class...>
struct Types {};

// The function is called once, with all arguments.
struct Once {
  template <class Want, class Call, class Answered, class... Arguments>
  static void Write(
      Bytes& frame, Turn&, const Call& call, const Answered& answered, Arguments&... arguments) {
    using Returned = decltype(call(arguments...));
    if constexpr (CheckReturn<Want, Plain<Returned>>()) {
      const Returned& got = call(arguments...);
      frame.Add("V");
      Want::Write(frame, got, Path{nullptr, AddRoot, nullptr});
      // From here, so that the value and the arguments are not taken apart first.
      answered();
    }
  }
};

// The function is called once a row of the argument at a place, with the others as they are.
template <std::size_t place>
struct Draws {
  template <class Want, class Call, class Answered, class... Arguments>
  static void Write(
      Bytes& frame, Turn& turn, const Call& call, const Answered& answered,
      Arguments&... arguments) {
    const auto all = std::tie(arguments...);
    const auto indexes = std::index_sequence_for<Arguments...>();
    auto& rows = std::get<place>(all);
    using Row = typename std::remove_reference_t<decltype(rows)>::value_type;
    using Returned = decltype(CallWith(indexes, call, all, std::declval<Row&>()));
    if constexpr (CheckReturn<Want, Plain<Returned>>()) {
      frame.Add("V");
      const std::size_t opened = frame.OpenCount();
      turn.planned = rows.size();
      for (Row& row : rows) {
        ++turn.number;
        const Returned& got = CallWith(indexes, call, all, row);
        Want::Write(frame, got, Path{nullptr, AddRoot, nullptr});
      }
      frame.CloseCount(opened, rows.size());
      answered();
    }
  }

 private:
  template <std::size_t index, class All, class Row>
  static auto& Pick(const All& all, Row& row) {
    if constexpr (index == place) {
      return row;
    } else {
      return std::get<index>(all);
    }
  }

  template <std::size_t... index, class Call, class All, class Row>
  static decltype(auto) CallWith(
      std::index_sequence<index...>, const Call& call, const All& all, Row& row) {
    return call(Pick<index>(all, row)...);
  }
};

template <class Calls, class Want, class... Parameters>
struct Program {
  template <class Call, class... Streams>
  [[noreturn]] static int Run(Call call, Streams&... streams) {
    Bytes frame;
    Turn turn;
    // A place for any short reply, whatever the learner's code leaves of the memory.
    frame.Room(1 << 12);
    try {
      Bytes request = ReadRequest();
      Reader in(request.data(), request.data() + request.size());
      ReadAndCall(Types<Parameters...>(), in, [&](auto&... arguments) {
        in.Finish();
        request.Free();
        const auto answered = [&]() { Answer(frame, streams...); };
        Calls::template Write<Want>(frame, turn, call, answered, arguments...);
      });
    } catch (const Mismatch& mismatch) {
      SetMismatch(frame, mismatch, turn);
    } catch (const std::bad_alloc&) {
      SetOutOfMemory(frame);
    } catch (const std::exception& error) {
      TrySetRaised(frame, __builtin_addressof(error), turn);
    } catch (...) {
      TrySetRaised(frame, nullptr, turn);
      Answer(frame, streams...);  // here: the end of a thread must not be caught to its end
    }
    Answer(frame, streams...);
  }

 private:
  template <class Call, class... Done>
  static void ReadAndCall(Types<>, Reader&, const Call& call, Done&... done) {
    call(done...);
  }

  template <class Next, class... Rest, class Call, class... Done>
  static void ReadAndCall(Types<Next, Rest...>, Reader& in, const Call& call, Done&... done) {
    typename Next::type next = Next::Read(in);
    ReadAndCall(Types<Rest...>(), in, call, done..., next);
  }
};

}  // namespace Harness7f3a

#undef JUDGE_ONCE
