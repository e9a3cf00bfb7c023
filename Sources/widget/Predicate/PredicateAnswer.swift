import JSONText
import Predicates

/// What the command says about a text that it could read.
struct PredicateAnswer {
    var tree: SyntaxTree
    /// `nil` when nothing was evaluated.
    var value: PredicateValue?

    func text(isDrawn: Bool) -> String {
        var text = "printed  \(tree.printed.text)\n"
        if let value {
            var writer = JSONWriter()
            PredicateJSON.write(value, to: &writer)
            text += "value    \(String(decoding: writer.finish(), as: UTF8.self))"
        }
        if isDrawn { text += "\n" + SyntaxOutline(tree).drawing }
        return text
    }

    func json(isDrawn: Bool) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            if let value {
                writer.key("value")
                PredicateJSON.write(value, to: &writer)
            }
            writer.member("printed", tree.printed.text)
            if isDrawn {
                writer.key("tree")
                writer.array { writer in
                    for line in SyntaxOutline(tree).lines { PredicateAnswer.write(line, to: &writer) }
                }
            }
        }
        return writer.finish()
    }

    private static func write(_ line: SyntaxOutline.Line, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("depth", line.depth)
            writer.member("part", line.label)
            writer.member("offset", line.span.offset)
            writer.member("length", line.span.byteCount)
        }
    }
}
