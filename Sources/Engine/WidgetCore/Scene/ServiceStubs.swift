/// The answers that a bundle has with it, in place of those of its servers.
extension Program {
    /// The service that a stub can take the place of: `Notes` for `StubNotes`, and `StandardServiceProvider` for
    /// `StubServiceProvider`, whose names are those of classes.
    private static func stubbed(by service: Service) -> String? {
        guard service.isScripted, service.name.hasPrefix(stubPrefix), service.name != stubPrefix else { return nil }
        let name = service.name.dropFirst(stubPrefix.count)
        return name == providerEnding ? "Standard\(providerEnding)" : String(name)
    }

    private static let stubPrefix = "Stub"
    private static let providerEnding = "ServiceProvider"

    /// True if a stub can answer in place of a service that asks a server.
    package var offersStubs: Bool {
        services.values.contains { stub in
            Program.stubbed(by: stub).flatMap { services[$0] }.map { !$0.isScripted } ?? false
        }
    }

    /// The same program, in which stubs answer in place of the services that they stand for. Actions that a stub lacks fail.
    package var answeringByStubs: Program {
        var services = services
        for stub in self.services.values {
            guard let name = Program.stubbed(by: stub) else { continue }
            var service = stub
            service.name = name
            services[name] = service
        }
        return Program(
            identifier: identifier, name: name, scenes: Array(scenes.values), entries: entries, initial: initial,
            model: model, services: Array(services.values), transformers: transformers, vocabulary: vocabulary,
            images: images, settings: settings, fieldMessages: fieldMessages, diagnostics: diagnostics, terms: terms,
            termPlaces: termPlaces)
    }
}
