// What the engine's file asks its host for, and what it has of C.
#include <math.h>
#include <stdlib.h>

/// Milliseconds since 1970.
__attribute__((import_module("engine"), import_name("now"))) double engine_now(void);

/// Continues SHA-256 (FIPS 180-4) with whole blocks of 64 bytes. In C, because it takes most of the time in which an archive is
/// opened, and C's compiler unrolls it.
void engine_sha256(unsigned *state, const unsigned char *bytes, size_t blocks);
