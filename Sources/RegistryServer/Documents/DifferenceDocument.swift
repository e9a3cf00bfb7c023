internal import Bytes
internal import JSONText
internal import Registry

/// The difference between two releases as clients see it.
enum DifferenceDocument {
    static func bytes(_ difference: ReleaseDifference, from old: Release, to new: Release) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 4_096)
        writer.object { writer in
            writer.member("bundleIdentifier", new.bundleIdentifier)
            writer.member("from", old.key)
            writer.member("to", new.key)
            writer.key("added")
            writer.array { writer in for file in difference.added { FileDocument.write(file, to: &writer) } }
            writer.key("removed")
            writer.array { writer in for file in difference.removed { FileDocument.write(file, to: &writer) } }
            writer.key("changed")
            writer.array { writer in
                for change in difference.changed {
                    writer.object { writer in
                        writer.member("path", change.new.path)
                        writer.key("from")
                        FileDocument.write(change.old, to: &writer)
                        writer.key("to")
                        FileDocument.write(change.new, to: &writer)
                    }
                }
            }
            writer.member("unchanged", difference.unchangedCount)
            writer.member("transferBytes", difference.transferByteCount)
            writer.member("size", new.byteCount)
        }
        return writer.finish()
    }
}
