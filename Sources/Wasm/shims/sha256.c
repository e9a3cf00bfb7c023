#include "system.h"
#include <stdint.h>

/// The fractional parts of the cube roots of the first 64 primes.
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t turned(uint32_t value, int count) { return value >> count | value << (32 - count); }

void engine_sha256(unsigned *state, const unsigned char *bytes, size_t blocks) {
    for (; blocks; blocks--, bytes += 64) {
        uint32_t words[16], v[8];
        for (int index = 0; index < 8; index++) v[index] = state[index];
#pragma clang loop unroll(full)
        for (int index = 0; index < 64; index++) {
            // The words of 16 rounds at a time; each takes the place of the one 16 rounds before.
            uint32_t *word = &words[index & 15];
            if (index < 16) {
                const unsigned char *at = bytes + 4 * index;
                *word = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
            } else {
                uint32_t early = words[(index + 1) & 15], late = words[(index + 14) & 15];
                *word += (turned(early, 7) ^ turned(early, 18) ^ early >> 3) + words[(index + 9) & 15]
                    + (turned(late, 17) ^ turned(late, 19) ^ late >> 10);
            }
            // The eight values move on by one place a round: here their names do.
#define V(name) v[(name - index) & 7]
            uint32_t first = V(7) + (turned(V(4), 6) ^ turned(V(4), 11) ^ turned(V(4), 25))
                + (V(6) ^ (V(4) & (V(5) ^ V(6)))) + constants[index] + *word;
            V(3) += first;
            V(7) = first + (turned(V(0), 2) ^ turned(V(0), 13) ^ turned(V(0), 22)) + ((V(0) & V(1)) | (V(2) & (V(0) | V(1))));
#undef V
        }
        for (int index = 0; index < 8; index++) state[index] += v[index];
    }
}
