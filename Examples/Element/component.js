// The element as a component of a framework: React, without a compiler. Attributes are properties of the component, and events are
// callbacks. Other frameworks set attributes and listen to events of elements by themselves.
import { createElement, useEffect, useRef } from 'react'
import './widget-view.js'

const events = ['ready', 'title', 'open', 'call', 'report', 'fault']

export function WidgetView({ src, grant, request, children, ...rest }) {
  const host = useRef(null)
  const callbacks = useRef(rest)
  callbacks.current = rest

  useEffect(() => {
    const ending = new AbortController()
    for (const kind of events) {
      const name = `on${kind[0].toUpperCase()}${kind.slice(1)}`
      host.current.addEventListener(kind, ({ detail }) => callbacks.current[name]?.(detail), { signal: ending.signal })
    }
    return () => ending.abort()
  }, [])

  useEffect(() => {
    host.current.request = request
  }, [request])

  const attributes = Object.fromEntries(Object.entries(rest).filter(([name]) => !/^on[A-Z]/.test(name)))
  return createElement('widget-view', { ref: host, src, grant, ...attributes }, children)
}
