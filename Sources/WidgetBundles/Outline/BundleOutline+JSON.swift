package import JSONText

extension BundleOutline {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("screens")
            writer.array { writer in
                for screen in screens { screen.write(to: &writer) }
            }
            writer.key("services")
            writer.array { writer in
                for service in services { service.write(to: &writer) }
            }
            writer.key("interfaces")
            writer.array { writer in
                for interface in interfaces { interface.write(to: &writer) }
            }
            writer.list("models", models) { $1.write(to: &$0) }
            writer.list("images", images) { $1.write(to: &$0) }
        }
    }
}

extension BundleOutline.Screen {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("path", path)
            writer.key("mediators")
            writer.array { writer in
                for mediator in mediators {
                    writer.object { writer in
                        writer.member("id", mediator.identifier)
                        if let type = mediator.type { writer.member("type", type) }
                    }
                }
            }
            writer.key("predicates")
            writer.array { writer in
                for predicate in predicates { writer.string(predicate) }
            }
        }
    }
}

extension BundleOutline.Service {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("path", path)
            if let baseURL { writer.member("baseUrl", baseURL) }
            writer.key("actions")
            writer.array { writer in
                for action in actions { writer.string(action) }
            }
        }
    }
}
