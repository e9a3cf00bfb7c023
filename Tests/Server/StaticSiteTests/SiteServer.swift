import Foundation
import WidgetFiles
import WidgetTestSupport

/// An nginx for the folder of a site: with the configuration that the export has written, or with none but the folder, as
/// any file server that gives strong entity tags.
final class SiteServer: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case configured, plain
    }

    static var isInstalled: Bool { Nginx.isInstalled }

    struct NoAnswer: Error, CustomStringConvertible {
        let description: String
    }

    private let folder: ScratchDirectory
    private let nginx: Nginx

    init(_ kind: Kind, of site: String) throws {
        folder = try ScratchDirectory(in: TemporaryPlace.path)
        nginx = try Nginx(in: folder.path) { place in
            guard kind == .configured else { return "server { listen \(place); root \(site)/site; }" }
            // Ours listens where operators change it to listen.
            return try String(contentsOfFile: "\(site)/nginx.conf", encoding: .utf8)
                .replacingOccurrences(of: "listen 8080;", with: "listen \(place);")
        }
    }

    var port: UInt16 { nginx.port }

    var address: String { "http://127.0.0.1:\(port)" }

    func get(_ path: String, _ fields: String = "", method: String = "GET") throws -> WireAnswer {
        let connection = try RawConnection(port: port)
        connection.send(Array("\(method) \(path) HTTP/1.1\r\nHost: site\r\nConnection: close\r\n\(fields)\r\n".utf8))
        var reader = AnswerReader(hasEnded: false)
        while !reader.hasEnded {
            if case .bytes(let bytes) = connection.receive(upTo: 262_144) {
                reader.append(bytes)
            } else {
                reader.hasEnded = true
            }
        }
        guard case .answer(let answer) = reader.next(isHead: method == "HEAD") else {
            throw NoAnswer(description: "no answer to \(path)")
        }
        return answer
    }
}
