import Foundation
import HTTPWire
import Testing
import WidgetTestSupport

/// One file of the corpus: its folder and name say what must become of it.
struct RequestFile: CustomTestStringConvertible, Sendable {
    var name: String
    var bytes: [UInt8]
    /// The status of the refusal; `nil` where the request is to be accepted.
    var status: Int?

    var testDescription: String { name }

    static let all: [RequestFile] = files(in: "accept") + files(in: "refuse")

    private static func files(in folder: String) -> [RequestFile] {
        let path = URL(filePath: "\(Corpus.repositoryRoot)/Tests/Corpus/requests/\(folder)")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path.path)) ?? []
        return names.filter { $0.hasSuffix(".http") }.sorted().map { name in
            let data = (try? Data(contentsOf: path.appending(path: name))) ?? Data()
            return RequestFile(
                name: "\(folder)/\(name)", bytes: Array(data),
                status: folder == "refuse" ? Int(name.prefix(3)) ?? 0 : nil)
        }
    }

    /// Reads a request that arrives in pieces that end at `cuts`.
    static func read(_ bytes: [UInt8], cuts: [Int]) -> Result<Int, Refusal> {
        var head = RequestHead()
        var cuts = cuts[...]
        while let count = cuts.first {
            let piece = Array(bytes[..<count])
            switch RequestHeadParser.parse(piece.span, into: &head, limits: HeadLimits()) {
            case .complete: return readBody(bytes, head, cuts: cuts)
            case .refused(let refusal): return .failure(refusal)
            case .incomplete: cuts.removeFirst()
            }
        }
        return .failure(.malformed(.incomplete))
    }

    private static func readBody(_ bytes: [UInt8], _ head: RequestHead, cuts: ArraySlice<Int>) -> Result<Int, Refusal> {
        switch head.framing {
        case .none: return .success(head.byteCount)
        case .length(let length): return .success(head.byteCount + length)
        case .chunked: break
        }
        var decoder = ChunkedDecoder()
        var position = head.byteCount
        for cut in cuts {
            let piece = Array(bytes[..<cut])
            var step = decoder.next(piece.span, &position)
            while case .data = step { step = decoder.next(piece.span, &position) }
            if step == .end { return .success(position) }
            if case .refused(let malformation) = step { return .failure(.malformed(malformation)) }
        }
        return .failure(.malformed(.incomplete))
    }
}

@Suite struct `The corpus of requests` {
    @Test(arguments: RequestFile.all)
    func `A request of the corpus parses as its name says, whole and byte by byte`(file: RequestFile) {
        for cuts in [[file.bytes.count], steps(file.bytes.count)] {
            switch RequestFile.read(file.bytes, cuts: cuts) {
            case .success(let end): #expect(file.status == nil && end == file.bytes.count)
            case .failure(let refusal):
                #expect(file.status == refusal.status.rawValue && refusal != .malformed(.incomplete))
            }
        }
    }

    /// Every byte, or every seventh where a file is long: each piece is read from its beginning.
    private func steps(_ count: Int) -> [Int] {
        Array(stride(from: 1, to: count, by: count > 2_000 ? 7 : 1)) + [count]
    }

    @Test func `The corpus of requests holds more refusals than acceptances`() {
        let accepted = RequestFile.all.count { $0.status == nil }
        #expect(accepted >= 20 && RequestFile.all.count >= 80 && accepted * 2 < RequestFile.all.count)
    }
}
