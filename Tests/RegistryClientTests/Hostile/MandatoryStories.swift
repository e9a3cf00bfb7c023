import Bytes
import HostileServer
import RegistryClient
import RegistryContract

/// A mandatory release, announced by a registry that lies.
enum MandatoryStories {
    /// Announcements of something that has to be run instead of what is there, and cannot be had.
    static var all: [Story] {
        func story(_ name: String, _ words: String, _ change: @escaping (inout HostileRegistry.Lie) -> Void) -> Story {
            Story("mandatory, \(name)", .refused(words)) { lie in
                change(&lie)
                let document = lie.document
                lie.document = {
                    document(&$0)
                    $0.isMandatory = true
                }
            }
        }
        return [
            story("and gone", "does not have it") { lie in
                lie.document = { $0.candidates[0] = nowhere($0.candidates[0]) }
                lie.onArchive = { visit, _ in visit.answer(404) }
            },
            story("and of another digest", "") { lie in lie.document = { $0.candidates[0] = nowhere($0.candidates[0]) }
            },
            story("and of another bundle", "does not begin") { lie in
                lie.document = { $0.bundleIdentifier = "com.example.Other" }
            },
            story("and an archive elsewhere", "not at the registry") { lie in
                lie.document = { $0.candidates[0].url = "http://elsewhere.test/x" }
            },
            story("and no answer", "") { lie in lie.onArchive = { visit, _ in visit.reset() } },
            story("and cut off for ever", "") { lie in
                lie.onArchive = { visit, bytes in
                    visit.send("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n")
                }
            },
            story("and of another size", "size is impossible") { lie in
                lie.document = { $0.candidates[0].byteCount = .max }
            },
            Story("mandatory, and there", .right) { lie in lie.document = { $0.isMandatory = true } },
            Story(
                "mandatory, and a number", .refused("cannot be read"), replacing: "\"mandatory\":false",
                with: "\"mandatory\":1"),
            Story(
                "mandatory, and nothing", empty: .refused("no release for this installation"), there: .same
            ) { lie in lie.document = { ($0.isMandatory, $0.candidates) = (true, []) } },
        ]
    }

    /// A candidate of which the host has nothing, and which nobody has.
    private static func nowhere(_ candidate: ReleaseCandidate) -> ReleaseCandidate {
        var candidate = candidate
        candidate.digest = Digest(repeating: 9)
        candidate.url = RegistryPath.blob(candidate.digest)
        candidate.files = candidate.files.map { file in
            var file = file
            file.digest = Digest(repeating: 9)
            return file
        }
        candidate.fit()
        return candidate
    }
}
