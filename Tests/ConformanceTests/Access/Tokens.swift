import ConformanceSupport
import Foundation
import TestSupport

/// Tokens for cases that need one.
enum Tokens {
    /// A token with these scopes; its name is nobody else's.
    static func make(
        _ registry: Registry, name: String? = nil, scopes: [String], prefix: String, channels: [String] = [],
        expires: String? = nil, by token: String? = Registry.adminToken
    ) throws -> String {
        let answer = try create(
            registry, name: name, scopes: scopes, prefix: prefix, channels: channels, expires: expires, by: token)
        guard answer.status == 201, let token = answer.text("token") else {
            throw Registry.NotPublished(description: "no token: \(answer.status) \(answer.text)")
        }
        return token
    }

    /// A moment shortly from now, and how long to wait until it is over.
    static func soon() -> String { Date(timeIntervalSinceNow: 2).formatted(.iso8601) }
    static let afterSoon = Duration.seconds(3)

    static func create(
        _ registry: Registry, name: String? = nil, scopes: [String], prefix: String, channels: [String] = [],
        expires: String? = nil, by token: String? = Registry.adminToken
    ) throws -> WireAnswer {
        let name = name ?? fresh("token").replacing(".", with: "-")
        let list = scopes.map { "\"\($0)\"" }.joined(separator: ", ")
        let names = channels.map { "\"\($0)\"" }.joined(separator: ", ")
        let limit = channels.isEmpty ? "" : ", \"channels\": [\(names)]"
        let expiry = expires.map { ", \"expires\": \"\($0)\"" } ?? ""
        return try registry.write(
            "POST", "/v1/tokens",
            "{\"name\": \"\(name)\", \"prefix\": \"\(prefix)\", \"scopes\": [\(list)]\(limit)\(expiry)}",
            token: token)
    }
}
