/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Threads of the operating system, for the pool: the only file besides compiler.h and wait.c that knows which system
 * this is. ABUT_HAS_THREADS is 0 where there are none; then only ABUT_HAS_THREADS is defined. */
#ifndef ABUT_BASE_WORKERS_THREAD_H
#define ABUT_BASE_WORKERS_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#if defined(_WIN32)
#  ifndef WIN32_LEAN_AND_MEAN
#    define WIN32_LEAN_AND_MEAN
#  endif
#  ifndef NOMINMAX
#    define NOMINMAX
#  endif
#  include <windows.h>
#  undef near /* empty macros there, names here */
#  undef far
#  define ABUT_HAS_THREADS 1
typedef HANDLE abut_thread;
typedef SRWLOCK abut_mutex;
typedef CONDITION_VARIABLE abut_condition;
#  define ABUT_THREAD_RETURNS DWORD WINAPI

static inline bool abut_thread_start(abut_thread *thread, ABUT_THREAD_RETURNS (*body)(void *), void *data) {
    return (*thread = CreateThread(NULL, 0, body, data, 0, NULL)) != NULL;
}
static inline void abut_thread_join(abut_thread thread) {
    (void)WaitForSingleObject(thread, INFINITE);
    (void)CloseHandle(thread);
}
static inline bool abut_mutex_init(abut_mutex *mutex, abut_condition *condition) {
    InitializeSRWLock(mutex);
    InitializeConditionVariable(condition);
    return true;
}
static inline void abut_mutex_destroy(abut_mutex *mutex, abut_condition *condition) {
    (void)mutex, (void)condition;
}
static inline void abut_mutex_lock(abut_mutex *mutex) {
    AcquireSRWLockExclusive(mutex);
}
static inline void abut_mutex_unlock(abut_mutex *mutex) {
    ReleaseSRWLockExclusive(mutex);
}
static inline void abut_condition_wait(abut_condition *condition, abut_mutex *mutex) {
    (void)SleepConditionVariableSRW(condition, mutex, INFINITE, 0);
}
static inline void abut_condition_wake_all(abut_condition *condition) {
    WakeAllConditionVariable(condition);
}
static inline uint32_t abut_processors(void) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors;
}

#elif !defined(__wasm__) && (defined(__unix__) || defined(__APPLE__))
#  include <pthread.h>
#  include <unistd.h>
#  define ABUT_HAS_THREADS 1
typedef pthread_t abut_thread;
typedef pthread_mutex_t abut_mutex;
typedef pthread_cond_t abut_condition;
#  define ABUT_THREAD_RETURNS void *

static inline bool abut_thread_start(abut_thread *thread, ABUT_THREAD_RETURNS (*body)(void *), void *data) {
    return pthread_create(thread, NULL, body, data) == 0;
}
static inline void abut_thread_join(abut_thread thread) {
    (void)pthread_join(thread, NULL);
}
static inline bool abut_mutex_init(abut_mutex *mutex, abut_condition *condition) {
    if (pthread_mutex_init(mutex, NULL) != 0) {
        return false;
    }
    if (pthread_cond_init(condition, NULL) != 0) {
        (void)pthread_mutex_destroy(mutex);
        return false;
    }
    return true;
}
static inline void abut_mutex_destroy(abut_mutex *mutex, abut_condition *condition) {
    (void)pthread_cond_destroy(condition);
    (void)pthread_mutex_destroy(mutex);
}
static inline void abut_mutex_lock(abut_mutex *mutex) {
    (void)pthread_mutex_lock(mutex);
}
static inline void abut_mutex_unlock(abut_mutex *mutex) {
    (void)pthread_mutex_unlock(mutex);
}
static inline void abut_condition_wait(abut_condition *condition, abut_mutex *mutex) {
    (void)pthread_cond_wait(condition, mutex);
}
static inline void abut_condition_wake_all(abut_condition *condition) {
    (void)pthread_cond_broadcast(condition);
}
static inline uint32_t abut_processors(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (uint32_t)n : 1;
}

#else
#  define ABUT_HAS_THREADS 0
#endif

#endif
