internal import Bytes
internal import HTTPServer
internal import Registry

extension Reading {
    /// `GET /v1/widgets/{widgetIdentifier}`
    func resolve(_ request: borrowing Request, _ widget: WidgetIdentifier) throws -> Answer {
        let reader = try access.reader(request)
        let parameters = try ResolveParameters(request)
        guard reader.isAnyone else {
            return work.answer { [registry] () throws(Problem) in
                let resolution = try Reading.resolution(registry, widget, parameters, reader)
                let isUpToDate = parameters.have != nil && parameters.have == resolution.onlyDigest
                return .resource(Reading.document(resolution, widget, .privately, isUpToDate: isUpToDate))
            }
        }
        let key = parameters.key(.resolution, widget)
        let wanted = Wanted(have: parameters.have)
        if let answer = atHand(key, wanted) { return answer }
        return later(key, wanted) { [registry] () throws(Problem) in
            var found = try Reading.resolution(registry, widget, parameters, reader)
            // No part of the document, and without a bound of their own.
            for index in found.candidates.indices { found.candidates[index].release.channels = [] }
            let resolution = found
            let document = Reading.document(resolution, widget, .briefly, isUpToDate: false)
            let kept = KeptResolution(document: document, digest: resolution.onlyDigest) {
                Reading.document(resolution, widget, .briefly, isUpToDate: true)
            }
            // The resolution is kept beside its documents, for the one that may be wanted later.
            let cost = resolution.candidates.reduce(Reading.overhead * 2 + key.text.utf8.count * 2) {
                $0 + $1.files.count * 4
            }
            return ReadCache.Made(value: .resolution(kept), subject: resolution.bundleIdentifier, cost: cost)
        }
    }

    /// `GET /v1/widgets/{widgetIdentifier}/bundle`
    func bundleArchive(_ request: borrowing Request, _ widget: WidgetIdentifier) throws -> Answer {
        try archive(request, widget, name: nil)
    }

    /// `GET /v1/widgets/{widgetIdentifier}/{Name}.zip`
    func namedArchive(_ request: borrowing Request, _ widget: WidgetIdentifier, _ name: ArchiveName) throws -> Answer {
        try archive(request, widget, name: name.text)
    }

    private func archive(_ request: borrowing Request, _ widget: WidgetIdentifier, name: String?) throws -> Answer {
        let reader = try access.reader(request)
        let parameters = try ResolveParameters(request)
        guard reader.isAnyone else {
            return work.answer { [self] () throws(Problem) in
                let choice = ArchiveChoice(try Reading.resolution(registry, widget, parameters, reader))
                let part = try choice.part(of: parameters.bucket)
                try Reading.require(part.name, is: name, digest: part.digest)
                return .resource(try opened(part.digest, for: reader).resource(isNamed: true, for: reader))
            }
        }
        let key = parameters.key(.archive, widget)
        let wanted = Wanted(bucket: parameters.bucket, name: name)
        if let answer = atHand(key, wanted) { return answer }
        return later(key, wanted) { [registry] () throws(Problem) in
            let choice = ArchiveChoice(try Reading.resolution(registry, widget, parameters, reader))
            return ReadCache.Made(
                value: .archives(choice), subject: choice.bundleIdentifier, cost: 512 + choice.parts.count * 128)
        }
    }

    private static func resolution(
        _ registry: Registry, _ widget: WidgetIdentifier, _ parameters: ResolveParameters, _ reader: Reader
    ) throws(Problem) -> Resolution {
        try ask(reader) { () throws(RegistryError) in try registry.resolve(parameters.query(widget, for: reader)) }
    }

    private static func document(
        _ resolution: Resolution, _ widget: WidgetIdentifier, _ caching: Document.Caching, isUpToDate: Bool
    ) -> Resource {
        Document.resource(
            "application/json",
            ResolutionDocument.bytes(resolution, for: widget.text, isUpToDate: isUpToDate), caching)
    }

    /// A host that makes a folder's name of the address must not get another folder.
    static func require(_ name: String, is wanted: String?, digest: Digest) throws(Problem) {
        guard let wanted, wanted != name else { return }
        throw ProblemCatalogue.problem(
            .notFound,
            "The archive's folder is \(name).bundle, not \(wanted).bundle: ask for \(name).zip here, or for bundle to get "
                + "it under any name. It is also at \(Place.blob(digest)).")
    }
}
