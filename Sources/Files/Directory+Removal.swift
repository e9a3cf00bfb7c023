internal import Glibc

extension Directory {
    /// Removes a directory in this one with all that is in it; links are removed, not followed.
    ///
    /// The depth of what is there decides nothing: one level is emptied at a time, from a list of paths.
    package borrowing func removeTree(_ name: String) throws(FileError) {
        let root = try component(name, .remove)
        var pending = [[root]]
        while let components = pending.last {
            var subdirectories: [[String]] = []
            do {
                let directory = try descend(components)
                for item in try directory.items(limit: .max) ?? [] {
                    if item.status.kind == .directory {
                        subdirectories.append(components + [item.name])
                    } else {
                        try directory.removeFile(item.name)
                    }
                }
            }
            if subdirectories.isEmpty {
                try removeEmpty(components)
                pending.removeLast()
            } else {
                pending += subdirectories
            }
        }
    }

    private borrowing func removeEmpty(_ components: [String]) throws(FileError) {
        let parent = try descend(Array(components.dropLast()))
        let name = components.last ?? ""
        guard unsafe unlinkat(parent.descriptor.number, name, AT_REMOVEDIR) == 0 else {
            throw .last(.remove, parent.subject(name))
        }
    }

    private borrowing func descend(_ components: [String]) throws(FileError) -> Directory {
        var directory = try reopened()
        for component in components {
            directory = try directory.openDirectory(component)
        }
        return directory
    }
}
