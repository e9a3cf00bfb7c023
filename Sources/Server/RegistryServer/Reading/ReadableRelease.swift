internal import Bytes
package import Files
package import HTTPServer
package import HTTPWire
internal import Registry
internal import RegistryContract
internal import WidgetBundles

/// A release that a reader may see, for programs that show what is in it.
package struct ReadableRelease: Sendable {
    package let bundleIdentifier: String
    package let key: String
    /// The digest of its archive, in hexadecimal.
    package let archive: String
    private let blob: Blob

    init(_ release: Release, _ blob: Blob) {
        bundleIdentifier = release.bundleIdentifier
        key = release.key
        archive = release.digest.hex
        self.blob = blob
    }

    /// The archive, which was compared with its digest, opened for another process: what that does to its descriptor
    /// changes nothing here.
    package func open() throws(FileError) -> FileDescriptor {
        try FileDescriptor.readingNamed("/proc/self/fd/\(blob.file.descriptor.number)")
    }
}

extension Reading {
    /// Answers about a release of a path, with which it is looked up away from the event loop.
    func show(
        _ request: borrowing Request, _ bundle: BundleIdentifier, _ key: ReleaseKey,
        _ answer: @escaping @Sendable (ReadableRelease, Responder) -> Void
    ) throws -> Answer {
        let reader = try answers.reader(request)
        guard reader.sees(bundle.text) else {
            throw ProblemCatalogue.problem(RegistryError.noSuchBundle(bundle.text, spelling: nil))
        }
        return .later { [answers] responder in
            answers.work.run {
                do throws(Problem) {
                    let (release, _) = try ReleaseReading.files(answers.registry, bundle, key, for: reader)
                    let archive = try answers.archives.opened(release.digest, for: reader)
                    answer(ReadableRelease(release, archive.blob), responder)
                } catch {
                    responder.answer(.problem(error))
                }
            }
        }
    }
}

extension RegistryService {
    /// Makes the pages of a bundle anew, about which previews have learnt something.
    package var pageRefresher: @Sendable (_ bundle: String) -> Void {
        { [weak answers = reading.answers] bundle in answers?.forget(about: bundle) }
    }

    /// Adds a route about a release, `/w/{bundle}/{release}/…`.
    ///
    /// - Parameters:
    ///   - begin: called at once, with the request; what it returns is called with the release that readers may see.
    package func add(
        _ method: Method, _ ending: String, to routes: inout Routes,
        _ begin: @escaping @Sendable (borrowing Request) -> ReleaseAnswering
    ) {
        routes.on(method, "/w/{bundle}/{release}/\(ending)") {
            [reading] (request, bundle: BundleIdentifier, key: ReleaseKey) in
            switch begin(request) {
            case .refuse(let answer): answer
            case .show(let answer): try reading.show(request, bundle, key, answer)
            }
        }
    }
}

/// The answer to a request about a release, or the way to one when the release is known.
package enum ReleaseAnswering {
    case refuse(Answer)
    case show(@Sendable (ReadableRelease, Responder) -> Void)
}
