package import WidgetBuild
package import WidgetBundles
internal import WidgetBytes
package import WidgetFiles

/// The one way from a path to a bundle: an archive, a bundle's folder, or a folder of sources, which is built on the way.
///
/// Opening and taking are two steps, so that a program can show what it is about to do.
package struct BundleSource: ~Copyable {
    /// A kind of content, which decides how the bundle is made.
    private enum Content: ~Copyable {
        case archive(FileDescriptor)
        case folder(Directory)
        /// The built bundle's folder is in this one.
        case compiled(ScratchDirectory)
    }

    private let content: Content
    /// Of the bundle's folder; empty for an archive.
    private let name: String
    /// The status of the archive or the folder at the path; `nil` for a bundle that was compiled or opened elsewhere.
    package let status: FileStatus?
    /// Notes about files that the compiler left out or changed, for people; each begins with a path in the source.
    package let notes: [String]
    /// The author's names for its files.
    package let paths: AuthoredPaths

    // MARK: - Opening

    /// Opens an archive or a folder. A folder of sources is built, because sources would be stripped.
    ///
    /// - Parameters:
    ///   - followsLinks: whether the path may be a link, as one that a person named may.
    ///   - isInstalled: true for a folder that a registry's bundle was unpacked into, which is never built.
    ///   - scratch: the folder in which a built bundle lies until it was taken.
    package init(
        opening path: String, followsLinks: Bool = false, isInstalled: Bool = false,
        in scratch: String = Directory.temporary
    ) throws(SourceError) {
        let file = try rethrowing(
            try followsLinks ? FileDescriptor.readingNamed(path) : FileDescriptor.reading(path), as: SourceError.file)
        let status = try rethrowing(try file.status(), as: SourceError.file)
        guard status.kind == .directory else {
            self.init(.archive(file), status: status)
            return
        }
        let folder = try rethrowing(try Directory(opening: path), as: SourceError.file)
        let name = BundleSource.lastComponent(of: path)
        // A folder that cannot be listed is refused when it is taken.
        if !isInstalled, let paths = try? FolderListing.files(in: folder, limits: BundleLimits()),
            BundleSources.areSources(paths), !BundleSource.isBuilt(folder)
        {
            let sources = try BundleSource.files(in: folder, at: path)
            try self.init(
                compiling: sources, named: name ?? BundleSource.unnamed, from: path,
                values: BundleSource.values(.none, for: sources.files, at: path), in: scratch)
            return
        }
        self.init(.folder(folder), named: name ?? path, status: status)
    }

    /// Builds the sources in a folder.
    ///
    /// - Parameters:
    ///   - values: values for the variables of the source's property list, besides those of a project file around it.
    ///   - scratch: the folder in which the built bundle lies until it was taken.
    package init(
        compiling path: String, values: BuildValues = .none, in scratch: String = Directory.temporary
    ) throws(SourceError) {
        let folder = try rethrowing(try Directory(opening: path), as: SourceError.file)
        let sources = try BundleSource.files(in: folder, at: path)
        let name = BundleSource.lastComponent(of: path) ?? BundleSource.unnamed
        try self.init(
            compiling: sources, named: name, from: path,
            values: BundleSource.values(values, for: sources.files, at: path), in: scratch)
    }

    /// Adds the project file beside or above a source folder to given values.
    private static func values(
        _ given: BuildValues, for sources: [String: [UInt8]], at path: String
    ) -> BuildValues {
        var values = given
        values.project = values.project ?? .around(path, of: sources)
        return values
    }

    /// The files of a source folder, and the faults of those that could not be read.
    private struct Sources {
        var files: [String: [UInt8]] = [:]
        var faults: [BuildError] = []
    }

    private static func files(in folder: borrowing Directory, at path: String) throws(SourceError) -> Sources {
        var sources = Sources()
        do throws(BuildError) {
            sources.files = try SourceFolder.read(folder, recording: &sources.faults)
        } catch {
            throw .build(BuildFailure(error).within(AuthoredPaths.start(path)))
        }
        return sources
    }

    /// The files of a folder; none if it is not there.
    private static func optionalFiles(at path: String) throws(SourceError) -> Sources {
        let folder: Directory
        do throws(FileError) {
            folder = try Directory(opening: path)
        } catch {
            guard error.isMissing else { throw .file(error) }
            return Sources()
        }
        return try files(in: folder, at: path)
    }

    /// True if a path names a document, which can be shown without a bundle.
    package static func isDocument(_ path: String) -> Bool { path.hasSuffix(BundleManifest.documentEnding) }

    /// Makes a bundle around a document, which is its only screen.
    ///
    /// - Parameter scratch: the folder in which the bundle lies until it was taken.
    package init(document path: String, in scratch: String = Directory.temporary) throws(SourceError) {
        let file = try rethrowing(try FileDescriptor.readingNamed(path), as: SourceError.file)
        let folder = try rethrowing(try ScratchDirectory(in: scratch), as: SourceError.file)
        let single = SingleDocument(BundleSource.lastComponent(of: path) ?? "")
        try rethrowing(as: SourceError.file) { () throws(FileError) in
            // One byte too many is enough for its refusal.
            let byteCount = min(try file.status().byteCount, BundleLimits().parsedByteCount + 1)
            let bytes = try file.read(at: 0, count: byteCount)
            try SourceFolder.write(single.files(bytes), to: "\(folder.path)/\(single.bundle)")
        }
        let parent = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? "."
        self.init(
            .compiled(folder), named: single.bundle,
            paths: AuthoredPaths(in: parent.isEmpty ? "/" : parent, bundle: single.bundle, origins: [:]))
    }

    /// Makes a bundle of documents that a program has written, and of the files of a folder in its package.
    ///
    /// - Parameters:
    ///   - package: the package's folder, as its author named it.
    ///   - scratch: the folder in which the bundle lies until it was taken.
    package init(
        documents: ProgramDocuments, of package: String, in scratch: String = Directory.temporary
    ) throws(SourceError) {
        let start = AuthoredPaths.start(package)
        let place = start.isEmpty ? ProgramDocuments.folder : "\(start)/\(ProgramDocuments.folder)"
        var sources = try BundleSource.optionalFiles(at: place)
        let own = Set(sources.files.keys)
        documents.add(to: &sources.files, recording: &sources.faults)
        let compiled = try rethrowing(
            try BundleCompiler(
                sources.files, folder: documents.name, values: documents.values, faults: sources.faults,
                judge: SourceJudge.errors),
            as: { (error: BuildFailure) in SourceError.build(error.within(place)) })
        let folder = try rethrowing(try ScratchDirectory(in: scratch), as: SourceError.file)
        let bundle = "\(compiled.name).bundle"
        try rethrowing(
            try SourceFolder.write(compiled.files, to: "\(folder.path)/\(bundle)"), as: SourceError.file)
        var origins: [String: String] = [:]
        for file in compiled.files where own.contains(file.source) {
            origins[file.path] = "\(ProgramDocuments.folder)/\(file.source)"
        }
        self.init(
            .compiled(folder), named: bundle, notes: compiled.notes.map { "\(ProgramDocuments.folder)/\($0)" },
            paths: AuthoredPaths(in: package, bundle: bundle, origins: origins))
    }

    /// An archive that is open already, such as one from a registry.
    package init(archive: consuming FileDescriptor) {
        self.init(.archive(archive))
    }

    private init(
        compiling sources: Sources, named name: String, from path: String, values: BuildValues, in scratch: String
    ) throws(SourceError) {
        let start = AuthoredPaths.start(path)
        let compiled = try rethrowing(
            try BundleCompiler(
                sources.files, folder: name, values: values, faults: sources.faults, judge: SourceJudge.errors),
            as: { (error: BuildFailure) in SourceError.build(error.within(start)) })
        let folder = try rethrowing(try ScratchDirectory(in: scratch), as: SourceError.file)
        let bundle = "\(compiled.name).bundle"
        try rethrowing(
            try SourceFolder.write(compiled.files, to: "\(folder.path)/\(bundle)"), as: SourceError.file)
        self.init(
            .compiled(folder), named: bundle, notes: compiled.notes,
            paths: AuthoredPaths(in: path, bundle: bundle, origins: compiled.origins))
    }

    private init(
        _ content: consuming Content, named name: String = "", status: FileStatus? = nil, notes: [String] = [],
        paths: AuthoredPaths = .own
    ) {
        self.content = content
        self.name = name
        self.status = status
        self.notes = notes
        self.paths = paths
    }

    /// Returns true if the property list of a folder says that Xcode built it.
    private static func isBuilt(_ folder: borrowing Directory) -> Bool {
        guard let file = try? folder.openFile("Info.plist"), let status = try? file.status(), status.kind == .file,
            status.byteCount <= manifestByteCount, let bytes = try? file.read(at: 0, count: status.byteCount)
        else { return false }
        return BundleSources.isBuilt(manifest: bytes)
    }

    /// The largest property list that is looked at before a folder is taken.
    private static let manifestByteCount = 1 << 20

    /// The name of a bundle whose source folder has none.
    private static let unnamed = "Widget"

    private static func lastComponent(of path: String) -> String? {
        let last = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
        guard last == "." || last == ".." || last == nil else { return last }
        // The folder's name counts, not the way to it.
        return resolvedPath(path).utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
    }

    // MARK: - Taking

    /// True if the bundle is not an archive yet, and is packed first.
    package var isPacked: Bool {
        switch content {
        case .archive: false
        case .folder: true
        case .compiled: true
        }
    }

    /// Takes the bundle in, and writes its canonical archive to a file without a name.
    ///
    /// - Parameter scratch: the folder on whose disk work in progress lies.
    package borrowing func take(
        by intake: BundleIntake = BundleIntake(), in scratch: String = Directory.temporary,
        progress: BundleIntake.Progress = { _, _ in }
    ) throws(SourceError) -> TakenBundle {
        let archive = try BundleSource.scratchFile(in: scratch)
        return TakenBundle(
            try take(by: intake, into: archive, in: scratch, progress: progress), archive: archive, paths)
    }

    /// Takes the bundle in, and writes its canonical archive to `target` from its start.
    package borrowing func take(
        by intake: BundleIntake, into target: borrowing FileDescriptor, in scratch: String = Directory.temporary,
        progress: BundleIntake.Progress = { _, _ in }
    ) throws(SourceError) -> BundleIntake.Taken {
        switch content {
        case .archive(let file):
            return try rethrowing(as: SourceError.bundle) { () throws(BundleError) in
                try intake.take(file, into: target, progress: progress)
            }
        case .folder(let folder):
            return try BundleSource.pack(folder, named: name, by: intake, into: target, in: scratch, progress)
        case .compiled(let place):
            let folder = try rethrowing(try place.directory.openDirectory(name), as: SourceError.file)
            do throws(SourceError) {
                return try BundleSource.pack(folder, named: name, by: intake, into: target, in: scratch, progress)
            } catch {
                guard case .bundle(let refusal) = error else { throw error }
                throw .bundle(paths.named(refusal))
            }
        }
    }

    private static func pack(
        _ folder: borrowing Directory, named name: String, by intake: BundleIntake,
        into target: borrowing FileDescriptor, in scratch: String, _ progress: BundleIntake.Progress
    ) throws(SourceError) -> BundleIntake.Taken {
        let packed = try scratchFile(in: scratch)
        let archive = try scratchFile(in: scratch)
        do throws(BundleError) {
            return try intake.take(
                folder: folder, named: name, packed: packed, archive: archive, into: target, progress: progress)
        } catch {
            throw .bundle(error)
        }
    }

    /// Returns a file without a name, so that nothing is left behind: in that folder, or in the system's place for such
    /// files when the folder cannot have any.
    private static func scratchFile(in folder: String) throws(SourceError) -> FileDescriptor {
        do throws(FileError) {
            return try FileDescriptor.unnamed(inDirectory: folder)
        } catch {
            // A folder that is missing or not writable will not take the archive either.
            guard error.isUnsupported else { throw .file(error) }
        }
        return try rethrowing(try FileDescriptor.unnamed(inDirectory: Directory.temporary), as: SourceError.file)
    }
}

/// A bundle that was taken in, and its canonical archive in a file without a name.
package struct TakenBundle: ~Copyable {
    package let bundle: WidgetBundle
    package let report: BundleReport
    package let opened: CanonicalBundle
    /// The author's names for its files.
    package let paths: AuthoredPaths

    package init(_ taken: BundleIntake.Taken, archive: consuming FileDescriptor, _ paths: AuthoredPaths = .own) {
        bundle = taken.bundle
        report = taken.report
        opened = CanonicalBundle(taken, archive: archive)
        self.paths = paths
    }
}

/// Why a path did not lead to a bundle.
package enum SourceError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path could not be opened, or there was no room for work in progress.
    case file(FileError)
    /// The bundle's source could not be compiled.
    case build(BuildFailure)
    /// The bundle was refused.
    case bundle(BundleError)

    package var description: String {
        switch self {
        case .file(let error): "\(error)"
        case .build(let error): "\(error)"
        case .bundle(let error): "\(error)"
        }
    }
}
