internal import Bytes
package import Files
internal import JSONText
package import Zip

extension WidgetBundle {
    /// Reads the declarative files, the compiled interfaces and models and the images of the bundle from its archive.
    ///
    /// - Parameter directory: of that archive, as it was proven when the bundle was taken in.
    package func outline(
        _ directory: ZipDirectory, readingFrom archive: borrowing FileDescriptor
    ) throws(BundleError) -> BundleOutline {
        do throws(ZipError) {
            var reader = try ZipEntryReader()
            var outline = BundleOutline()
            var (interfaces, resources) = ([String: [UInt8]](), [String: [UInt8]]())
            for entry in directory.entries {
                let path = String(entry.name.text.dropFirst(folder.count + 1))
                let isInterface =
                    path.hasSuffix(".nib") || path.contains(".nib/") || path.contains(".storyboardc/")
                let isResource = BundleOutline.isResource(path)
                guard isInterface || isResource || path.hasSuffix(".json"), !entry.isDirectory else { continue }
                var bytes: [UInt8] = []
                bytes.reserveCapacity(entry.byteCount)
                _ = try reader.read(entry, from: archive) { (chunk: borrowing Span<UInt8>) throws(FileError) in
                    bytes.append(copying: chunk)
                }
                if isInterface {
                    interfaces[path] = bytes
                    continue
                }
                if isResource {
                    resources[path] = bytes
                    continue
                }
                // Kept documents have been parsed before; one that is only data need not fit the same limits.
                guard let document = try? JSONTable(parsing: bytes) else { continue }
                outline.add(path, document)
            }
            outline.addInterfaces(interfaces)
            outline.addResources(resources)
            return outline
        } catch {
            throw BundleError(.archive(error), path: error.entry)
        }
    }
}
