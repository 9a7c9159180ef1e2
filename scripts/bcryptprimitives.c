/* The function of Windows' bcryptprimitives.dll that Rust's standard library calls, for Wine versions without it. */
#include <stddef.h>

__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *data, unsigned long length);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *data, size_t length) {
    return SystemFunction036(data, (unsigned long)length);
}
