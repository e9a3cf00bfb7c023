// libcrypto's message digests: SHA-256 with the processor's own instructions,
// six to eight times as fast as a loop in Swift.
//
// SHA-256 is called by its own name, which OpenSSL 3 discourages in favour of its providers: their machinery takes
// three milliseconds to set up, longer than a program like `widget` may need for everything else.
//
// For the same reason it is linked statically: loading the library takes a millisecond at each start, for one function
// of thousands.
#if !__has_include(<openssl/evp.h>)
#error "OpenSSL is missing: apt-get install libcurl4-openssl-dev libdeflate-dev libsqlite3-dev libssl-dev zlib1g-dev"
#endif
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/sha.h>
