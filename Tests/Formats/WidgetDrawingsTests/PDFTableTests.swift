import Testing
import WidgetAssetCatalog

@testable import WidgetDrawings

/// Goal: the newest table of a PDF file decides which objects there are. Method: files that a program has changed by
/// adding to them, with tables and streams of tables.
@Suite struct `Tables of PDF` {
    static let form = "<< /Subtype /Form /BBox [0 0 100 100] /Length 16 >>\nstream\n0 0 100 100 re f\nendstream"
    static let pdf = WrittenPDF(content: "/F Do", resources: "/XObject << /F 5 0 R >>", objects: [form])

    /// The file with another table behind it.
    static func changed(_ table: (_ start: Int, _ first: Int) -> [UInt8]) -> [UInt8] {
        let file = pdf.bytes()
        let first = file.place(of: "\nxref\n", from: 0) ?? 0
        return file + table(file.count, first + 1)
    }

    static func isDrawn(_ file: [UInt8]) throws -> Bool {
        try Drawing(parsing: file).bitmap(scale: 1).pixels.contains { $0 > 0 }
    }

    static func table(_ trailer: String, at start: Int) -> [UInt8] {
        Array("xref\n5 1\n0000000000 00001 f \ntrailer\n<< /Root 1 0 R \(trailer) >>\nstartxref\n\(start)\n%%EOF".utf8)
    }

    /// A table that is a stream with one entry, for object 5.
    static func stream(_ entry: [UInt8], _ members: String) -> [UInt8] {
        let head = "9 0 obj << /Type /XRef /Size 6 /W [1 2 1] /Index [5 1] /Length 4 \(members) >>\nstream\n"
        return Array(head.utf8) + entry + Array("\nendstream endobj\n".utf8)
    }

    @Test func `An object that is removed does not come back from an older table`() throws {
        #expect(try Self.isDrawn(Self.pdf.bytes()))
        #expect(try !Self.isDrawn(Self.changed { start, first in Self.table("/Prev \(first)", at: start) }))
        let streamed = Self.changed { start, first in
            Self.stream([0, 0, 0, 0], "/Root 1 0 R /Prev \(first)") + Array("startxref\n\(start)\n%%EOF".utf8)
        }
        #expect(try !Self.isDrawn(streamed))
    }

    @Test func `An object that a table hides from older readers is in the stream beside it`() throws {
        let place = Self.pdf.bytes().place(of: "5 0 obj", from: 0) ?? 0
        let hybrid = Self.changed { start, first in
            let stream = Self.stream([1, UInt8(place >> 8), UInt8(place & 255), 0], "")
            return stream + Self.table("/Prev \(first) /XRefStm \(start)", at: start + stream.count)
        }
        #expect(try Self.isDrawn(hybrid))
    }

    @Test func `A state with two parts that are not drawn is refused for the same one each time`() {
        for count in 0..<12 {
            let others = (0..<count).map { "/X\($0) 1" }.joined(separator: " ")
            let state = "/SMask << /S /Alpha >> \(others) /BM /Multiply"
            let pdf = WrittenPDF(content: "/G gs", resources: "/ExtGState << /G << \(state) >> >>")
            #expect(`Hostile drawings`.error(pdf.bytes())?.reason == .unsupported(.blending), "\(count)")
        }
    }
}
