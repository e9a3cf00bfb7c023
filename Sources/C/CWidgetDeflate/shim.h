// libdeflate: whole buffers only, 1.4 to 2.2 times as fast as zlib, and a CRC-32 that is five to ten times as fast.
#if !__has_include(<libdeflate.h>)
#error "libdeflate is missing: apt-get install libcurl4-openssl-dev libdeflate-dev libsqlite3-dev libssl-dev zlib1g-dev"
#endif
#include <libdeflate.h>
