// libdeflate: whole buffers only, 1.4 to 2.2 times as fast as zlib, and a CRC-32 that is five to ten times as fast.
#include <libdeflate.h>
