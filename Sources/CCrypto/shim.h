// libcrypto's message digests: SHA-256 with the processor's own instructions,
// six to eight times as fast as a loop in Swift.
#include <openssl/evp.h>
