"""Words that cannot name a function, a parameter or a part of a tuple in one of the languages.

One signature serves all languages, so a word that one of them keeps for itself is refused for all.
"""

import keyword

# C++17 and C++20 (ISO/IEC 14882:2020, 5.11), alternative tokens such as "and" included.
_CPP = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t
char32_t class co_await co_return co_yield compl concept const const_cast consteval constexpr
constinit continue decltype default delete do double dynamic_cast else enum explicit export extern
false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr
operator or or_eq private protected public register reinterpret_cast requires return short signed
sizeof static static_assert static_cast struct switch template this thread_local throw true try
typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq
"""

# What standard headers of C and C++ define as macros, as far as it could pass for a name.
_CPP_MACROS = """
alloca assert errno issubnormal offsetof setjmp sigmask stderr stdin stdout va_arg va_copy va_end
va_start
"""

# Java 17 (JLS 3.9); words such as "record" and "var" may still name things.
_JAVA = """
abstract assert boolean break byte case catch char class const continue default do double else enum
extends false final finally float for goto if implements import instanceof int interface long
native new null package private protected public return short static strictfp super switch
synchronized this throw throws transient true try void volatile while
"""

# No record component may have these names (JLS 8.10.1): its accessor would clash with Object's.
_JAVA_RECORDS = "clone finalize notify wait"

# The entry of a C++ program; a Java method of that name would look like one.
_ENTRIES = "main"

RESERVED_WORDS = frozenset(
    (*_CPP.split(), *_CPP_MACROS.split(), *_JAVA.split(), *_JAVA_RECORDS.split(), _ENTRIES)
) | frozenset(keyword.kwlist)
