// The wrappers are inline; a C target needs one translation unit.
#include "CLinux.h"
