// Second of three parts of the C++ runtime, see program.hpp: the problem's types.
//
// Each of them has: type, what a parameter is; Read, an argument; Check, whether and why not
// a returned type will do; Write, a returned value of a type that passed Check.
namespace Harness7f3a {

// Why a returned type is refused.
enum class Fault { kNone, kFloatingForWhole, kFlagForNumber, kNumberForFlag, kOther };

template <class Got>
constexpr bool kIsWhole =
    (std::is_integral_v<Got> && !std::is_same_v<Got, bool>) ||
    std::is_same_v<Got, __int128> || std::is_same_v<Got, unsigned __int128>;

template <class Got>
constexpr bool kIsText = std::is_convertible_v<const Got&, std::string_view> &&
                         !std::is_null_pointer_v<Got>;

template <class Item>
using Plain = std::remove_cv_t<std::remove_reference_t<Item>>;

namespace range {

using std::begin;
using std::end;

template <class Got>
auto Item(const Got& got) -> decltype(static_cast<void>(begin(got) != end(got)),
                                      static_cast<Plain<decltype(*begin(got))>*>(nullptr));

}  // namespace range

template <class Got, class = void>
constexpr bool kIsRange = false;
template <class Got>
constexpr bool kIsRange<
    Got, std::void_t<decltype(range::Item(std::declval<const Got&>()))>> = !kIsText<Got>;

template <class Got>
using ItemOf = std::remove_pointer_t<decltype(range::Item(std::declval<const Got&>()))>;

// Maps that hold a key once: those whose keys can be looked up by at().
template <class Got, class = void>
constexpr bool kIsMap = false;
template <class Got>
constexpr bool kIsMap<Got, std::void_t<decltype(std::declval<const Got&>().at(
                               std::declval<const typename Got::key_type&>())),
                           typename Got::mapped_type>> = true;

template <class Got>
constexpr bool kIsOptional = false;
template <class Inner>
constexpr bool kIsOptional<std::optional<Inner>> = true;

template <class Got>
constexpr std::size_t kParts = 0;
template <class First, class Second>
constexpr std::size_t kParts<std::pair<First, Second>> = 2;
template <class... Parts>
constexpr std::size_t kParts<std::tuple<Parts...>> = sizeof...(Parts);
template <class Item, std::size_t size>
constexpr std::size_t kParts<std::array<Item, size>> = size;

struct Int {
  using type = long long;
  static constexpr bool kIsPlain = true;

  static type Read(Reader& in) { return in.Number<type>(); }
  static const char* Dtype() { return "i64"; }

  template <class Got>
  static constexpr Fault Check() {
    if (kIsWhole<Got>) return Fault::kNone;
    if (std::is_floating_point_v<Got>) return Fault::kFloatingForWhole;
    return std::is_same_v<Got, bool> ? Fault::kFlagForNumber : Fault::kOther;
  }

  template <class Got>
  static void Write(Bytes& out, const Got& got, const Path& path) {
    const auto number = static_cast<type>(got);
    if (static_cast<Got>(number) != got || (number < 0) != (got < Got(0))) {
      Differs(path, {"int"}, "an integer that does not fit into 64 bits");
    }
    out.AddNumber(number);
  }
};

template <class Number>
struct Floating {
  using type = Number;
  static constexpr bool kIsPlain = true;

  static type Read(Reader& in) { return in.Number<type>(); }
  static const char* Dtype() { return sizeof(Number) == 4 ? "f32" : "f64"; }

  template <class Got>
  static constexpr Fault Check() {
    if (kIsWhole<Got> || std::is_floating_point_v<Got>) return Fault::kNone;
    return std::is_same_v<Got, bool> ? Fault::kFlagForNumber : Fault::kOther;
  }

  template <class Got>
  static void Write(Bytes& out, const Got& got, const Path&) {
    out.AddNumber(static_cast<type>(got));
  }
};

using Float = Floating<double>;
using Single = Floating<float>;

struct Bool {
  using type = bool;
  static constexpr bool kIsPlain = false;  // std::vector<bool> has no array of its items

  static type Read(Reader& in) { return in.Number<unsigned char>() != 0; }
  static const char* Dtype() { return "bool"; }

  template <class Got>
  static constexpr Fault Check() {
    if (std::is_same_v<Got, bool>) return Fault::kNone;
    return std::is_arithmetic_v<Got> ? Fault::kNumberForFlag : Fault::kOther;
  }

  static void Write(Bytes& out, bool got, const Path&) {
    out.AddNumber(static_cast<unsigned char>(got ? 1 : 0));
  }
};

struct Str {
  using type = std::string;
  static constexpr bool kIsPlain = false;

  static type Read(Reader& in) {
    const std::size_t size = in.Count();
    return type(in.Take(size), size);
  }

  template <class Got>
  static constexpr Fault Check() {
    return kIsText<Got> ? Fault::kNone : Fault::kOther;
  }

  template <class Got>
  static void Write(Bytes& out, const Got& got, const Path& path) {
    if constexpr (std::is_pointer_v<Got>) {
      if (got == nullptr) Differs(path, {"str"}, "a null pointer");
    }
    const std::string_view text = got;
    if (!IsUtf8(text.data(), text.data() + text.size())) {
      Differs(path, {"str"}, "text that is not UTF-8");
    }
    out.AddNumber(static_cast<unsigned>(text.size()));
    out.Add(text.data(), text.size());
  }
};

template <class Item>
std::vector<typename Item::type> ReadItems(Reader& in) {
  std::vector<typename Item::type> items;
  const std::size_t count = in.Count();
  if constexpr (Item::kIsPlain) {
    const std::size_t size = count * sizeof(typename Item::type);
    const char* bytes = in.Take(size);
    items.resize(count);
    if (size != 0) __builtin_memcpy(items.data(), bytes, size);
  } else {
    items.reserve(count);
    for (std::size_t index = 0; index < count; ++index) items.push_back(Item::Read(in));
  }
  return items;
}

template <class Item>
struct List {
  using type = std::vector<typename Item::type>;
  static constexpr bool kIsPlain = false;

  static type Read(Reader& in) { return ReadItems<Item>(in); }

  template <class Got>
  static constexpr Fault Check() {
    if constexpr (kIsRange<Got>) {
      return Item::template Check<ItemOf<Got>>();
    } else {
      return Fault::kOther;
    }
  }

  template <class Got>
  static void Write(Bytes& out, const Got& got, const Path& path) {
    const std::size_t place = out.OpenCount();
    std::size_t index = 0;
    for (const auto& item : got) {
      Item::Write(out, item, Path{&path, AddIndex, &index});
      ++index;
    }
    out.CloseCount(place, index);
  }
};

template <class... Parts>
struct TupleType {
  using type = std::tuple<Parts...>;
};
template <class First, class Second>
struct TupleType<First, Second> {
  using type = std::pair<First, Second>;
};

template <class... Parts>
struct Tuple {
  using type = typename TupleType<typename Parts::type...>::type;
  static constexpr bool kIsPlain = false;

  // Braces, because they are evaluated from left to right.
  static type Read(Reader& in) { return type{Parts::Read(in)...}; }

  template <class Got>
  static constexpr Fault Check() {
    if constexpr (kParts<Got> == sizeof...(Parts)) {
      return CheckParts<Got>(std::index_sequence_for<Parts...>());
    } else {
      return Fault::kOther;
    }
  }

  template <class Got>
  static void Write(Bytes& out, const Got& got, const Path& path) {
    WriteParts(out, got, path, std::index_sequence_for<Parts...>());
  }

 private:
  template <class Got, std::size_t index>
  using Part = Plain<decltype(std::get<index>(std::declval<const Got&>()))>;

  template <class Got, std::size_t... indices>
  static constexpr Fault CheckParts(std::index_sequence<indices...>) {
    Fault first = Fault::kNone;
    for (Fault fault : {Parts::template Check<Part<Got, indices>>()...}) {
      if (first == Fault::kNone) first = fault;
    }
    return first;
  }

  template <class Got, std::size_t... indices>
  static void WriteParts(Bytes& out, const Got& got, const Path& path,
                         std::index_sequence<indices...>) {
    std::size_t index = 0;
    const Path here{&path, AddIndex, &index};
    ((Parts::Write(out, std::get<indices>(got), here), ++index), ...);
  }
};

template <class Inner>
struct Maybe {
  using type = std::optional<typename Inner::type>;
  static constexpr bool kIsPlain = false;

  static type Read(Reader& in) {
    if (in.Number<unsigned char>() == 0) return std::nullopt;
    return type(std::in_place, Inner::Read(in));
  }

  template <class Got>
  static constexpr Fault Check() {
    if constexpr (std::is_same_v<Got, std::nullopt_t>) {
      return Fault::kNone;
    } else if constexpr (kIsOptional<Got>) {
      return Inner::template Check<Plain<typename Got::value_type>>();
    } else {
      return Inner::template Check<Got>();
    }
  }

  template <class Got>
  static void Write(Bytes& out, const Got& got, const Path& path) {
    if constexpr (std::is_same_v<Got, std::nullopt_t>) {
      Bool::Write(out, false, path);
    } else if constexpr (kIsOptional<Got>) {
      Bool::Write(out, got.has_value(), path);
      if (got.has_value()) Inner::Write(out, *got, path);
    } else {
      Bool::Write(out, true, path);
      Inner::Write(out, got, path);
    }
  }
};

template <class Key, class Value>
struct Dict {
  using type = std::map<typename Key::type, typename Value::type>;
  static constexpr bool kIsPlain = false;

  static type Read(Reader& in) {
    type pairs;
    for (std::size_t left = in.Count(); left > 0; --left) {
      typename Key::type key = Key::Read(in);
      pairs.emplace(std::move(key), Value::Read(in));
    }
    return pairs;
  }

  template <class Got>
  static constexpr Fault Check() {
    if constexpr (kIsMap<Got>) {
      constexpr Fault key = Key::template Check<Plain<typename Got::key_type>>();
      return key != Fault::kNone ? key : Value::template Check<Plain<typename Got::mapped_type>>();
    } else {
      return Fault::kOther;
    }
  }

  template <class Got>
  static void Write(Bytes& out, const Got& got, const Path& path) {
    const std::size_t place = out.OpenCount();
    std::size_t count = 0;
    for (const auto& [key, value] : got) {
      const Path here{&path, AddKey<Plain<decltype(key)>>, __builtin_addressof(key)};
      Key::Write(out, key, here);
      Value::Write(out, value, here);
      ++count;
    }
    out.CloseCount(place, count);
  }
};

// Rectangular: a nested list of which all parts at one depth have one length.
template <class Element, int dimensions>
struct Array {
  using type = std::vector<typename Array<Element, dimensions - 1>::type>;
  static constexpr bool kIsPlain = false;

  static type Read(Reader& in) { return ReadItems<Array<Element, dimensions - 1>>(in); }

  template <class Got>
  static constexpr Fault Check() {
    if constexpr (kIsRange<Got>) {
      return Array<Element, dimensions - 1>::template Check<ItemOf<Got>>();
    } else {
      return Fault::kOther;
    }
  }

  template <class Got>
  static void Write(Bytes& out, const Got& got, const Path& path) {
    Shape shape{{Element::Dtype(), dimensions}, &path, {}};
    for (long long& side : shape.sides) side = -1;
    WriteRows(out, got, path, shape);
  }

  struct Shape {
    Wanted wanted;
    const Path* whole;
    long long sides[dimensions];
  };

  template <class Got, class WholeShape>
  static void WriteRows(Bytes& out, const Got& got, const Path& path, WholeShape& shape) {
    const std::size_t place = out.OpenCount();
    std::size_t index = 0;
    for (const auto& item : got) {
      const Path here{&path, AddIndex, &index};
      Array<Element, dimensions - 1>::WriteRows(out, item, here, shape);
      ++index;
    }
    out.CloseCount(place, index);
    if (dimensions > 1 && index == 0) {
      // The wire form has nested counts: behind an empty side there is no place for more.
      Differs(*shape.whole, shape.wanted, "an empty side that is not the last", "wrong_shape");
    }
    // Sides are stored from the last to the first.
    long long& side = shape.sides[dimensions - 1];
    if (side < 0) side = static_cast<long long>(index);
    if (side != static_cast<long long>(index)) {
      Differs(*shape.whole, shape.wanted, "rows of different lengths", "wrong_shape");
    }
  }
};

template <class Element>
struct Array<Element, 0> : Element {
  template <class Got, class WholeShape>
  static void WriteRows(Bytes& out, const Got& got, const Path& path, WholeShape&) {
    Element::Write(out, got, path);
  }
};

}  // namespace Harness7f3a
