internal import Glibc

/// Where a path leads when all links in it are followed; the path itself where it leads to nothing yet.
package func resolvedPath(_ path: String) -> String {
    // The text belongs to the C library until it is freed here.
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
}
