/// What a catalogue says about itself and its making.
package struct CatalogHeader: Equatable, Sendable {
    package var coreVersion: UInt32
    package var storageVersion: UInt32
    package var renditionCount: UInt32
    package var mainVersion: String
    package var version: String
    /// From the extended metadata, when there is any.
    package var platform: String?
    package var platformVersion: String?
    package var authoringTool: String?

    init(_ block: FilePart, metadata: FilePart?) throws(AssetError) {
        guard block.starts(with: "RATC") else { throw AssetError(.malformed(.catalogueHeader)) }
        guard let core = block.little32(4), let storage = block.little32(8), let count = block.little32(16),
            let mainVersion = block.part(at: 20, count: 128), let version = block.part(at: 148, count: 256)
        else { throw AssetError(.truncated(.catalogueHeader)) }
        (coreVersion, storageVersion, renditionCount) = (core, storage, count)
        (self.mainVersion, self.version) = (mainVersion.text, version.text)
        guard let metadata, metadata.starts(with: "META") else { return }
        platformVersion = metadata.part(at: 260, count: 256)?.text
        platform = metadata.part(at: 516, count: 256)?.text
        authoringTool = metadata.part(at: 772, count: 256)?.text
    }
}
