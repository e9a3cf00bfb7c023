#define _GNU_SOURCE
#include "CLinux.h"

#include <spawn.h>

int linux_spawn_changes_folder(void *actions, const char *folder)
{
    return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int linux_spawn_closes_from(void *actions, int first)
{
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
