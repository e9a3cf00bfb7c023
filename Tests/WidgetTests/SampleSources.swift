import Foundation
import TestSupport

/// The samples that are kept as sources, found by listing, so that none is forgotten.
enum SampleSources {
    static let folder = "\(Corpus.repositoryRoot)/Bundles"

    static let names: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { FileManager.default.fileExists(atPath: "\(folder)/\($0)/Info.plist") }.sorted()
    }()
}
