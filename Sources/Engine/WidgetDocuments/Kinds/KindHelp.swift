internal import JSONText

/// The descriptions of kinds as JSON and as Markdown.
package enum KindHelp {
    /// Every kind with its properties, slots, events and samples.
    package static func json(_ specs: [KindSpec]) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 1 << 14)
        writer.object { writer in
            writer.member("schema", DocumentWords.schemaVersion)
            writer.key("kinds")
            writer.array { writer in
                for spec in specs { write(spec, to: &writer) }
            }
            writer.key("style")
            write(DocumentWords.style, to: &writer)
            writer.key("events")
            writer.array { writer in
                for event in DocumentWords.elementEvents { write(event.name, event.about, to: &writer) }
            }
            writer.key("source")
            write(DocumentWords.source, to: &writer)
            writer.key("actions")
            writer.array { writer in
                for action in DocumentWords.actions {
                    writer.object { writer in
                        writer.member("name", action.name)
                        writer.member("about", action.about)
                        writer.key("members")
                        write(action.members, to: &writer)
                    }
                }
            }
        }
        return JSONLayout.indented(writer.finish())
    }

    private static func write(_ spec: KindSpec, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", spec.name)
            writer.key("aliases")
            writer.array { writer in
                for alias in spec.aliases { writer.string(alias) }
            }
            writer.member("about", spec.about)
            writer.member("children", spec.content.rawValue)
            writer.key("properties")
            write(spec.properties, to: &writer)
            writer.key("slots")
            writer.array { writer in
                for slot in spec.slots { write(slot.name, slot.about, to: &writer) }
            }
            writer.member("anySlots", spec.hasFreeSlots)
            writer.key("events")
            writer.array { writer in
                for event in spec.events { write(event.name, event.about, to: &writer) }
            }
            writer.key("samples")
            writer.array { writer in
                for sample in spec.samples { writer.finished(Array(sample.utf8)) }
            }
        }
    }

    private static func write(_ name: String, _ about: String, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("about", about)
        }
    }

    private static func write(_ properties: [PropertySpec], to writer: inout JSONWriter) {
        writer.array { writer in
            for property in properties {
                writer.object { writer in
                    writer.member("name", property.name)
                    writer.member("type", property.type.word)
                    switch property.initial {
                    case .text(let text): writer.member("default", text)
                    case .number(let number): writer.member("default", number)
                    case .flag(let flag): writer.member("default", flag)
                    case nil: break
                    }
                    writer.member("about", property.about)
                    writer.member("bindable", property.isBindable)
                    writer.member("required", property.isRequired)
                }
            }
        }
    }

    // MARK: - Markdown

    /// A section for each kind, with a table of its properties.
    package static func markdown(_ specs: [KindSpec]) -> String {
        specs.map(section).joined(separator: "\n")
    }

    private static func section(_ spec: KindSpec) -> String {
        var text = "## \(spec.name)\n\n\(spec.about)"
        if !spec.aliases.isEmpty { text += " Also: \(spec.aliases.map { "`\($0)`" }.joined(separator: ", "))." }
        text += "\n"
        if !spec.properties.isEmpty {
            text += "\n| property | type | default | meaning |\n|---|---|---|---|\n"
            for property in spec.properties { text += "\(row(property))\n" }
        }
        for (title, entries) in [
            ("slot", spec.slots.map { ($0.name, $0.about) }), ("event", spec.events.map { ($0.name, $0.about) }),
        ] where !entries.isEmpty {
            text += "\n| \(title) | meaning |\n|---|---|\n"
            for (name, about) in entries { text += "| `\(name)` | \(about) |\n" }
        }
        for sample in spec.samples { text += "\n```json\n\(sample)\n```\n" }
        return text
    }

    private static func row(_ property: PropertySpec) -> String {
        let type = property.type.word.replacing(" | ", with: ", ")
        let notes = (property.isRequired ? "; required" : "") + (property.isBindable ? "" : "; fixed")
        return "| `\(property.name)` | \(type) | \(initial(property)) | \(property.about)\(notes) |"
    }

    /// A default value as text; empty for a property that has none.
    package static func initial(_ property: PropertySpec) -> String {
        switch property.initial {
        case .text(let text): text
        case .number(let number): number == number.rounded() ? String(Int64(number)) : "\(number)"
        case .flag(let flag): flag ? "true" : "false"
        case nil: ""
        }
    }
}
