/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include <abut/types.h>
#include <abut/version.h>

const char *abut_result_name(abut_result result) {
    switch (result) {
    case ABUT_OK:
        return "ABUT_OK";
    case ABUT_ERROR_ARGUMENT:
        return "ABUT_ERROR_ARGUMENT";
    case ABUT_ERROR_HANDLE:
        return "ABUT_ERROR_HANDLE";
    case ABUT_ERROR_MEMORY:
        return "ABUT_ERROR_MEMORY";
    case ABUT_ERROR_CAPACITY:
        return "ABUT_ERROR_CAPACITY";
    case ABUT_ERROR_BUSY:
        return "ABUT_ERROR_BUSY";
    case ABUT_ERROR_DEGENERATE:
        return "ABUT_ERROR_DEGENERATE";
    case ABUT_ERROR_FORMAT:
        return "ABUT_ERROR_FORMAT";
    case ABUT_ERROR_LIMIT:
        return "ABUT_ERROR_LIMIT";
    case ABUT_ERROR_ARITHMETIC:
        return "ABUT_ERROR_ARITHMETIC";
    }
    return "unknown abut_result";
}

const char *abut_version(void) {
    return ABUT_VERSION;
}
