import { Component, type ReactNode } from 'react'

interface Props {
  /** What to show instead. */
  fallback: (error: unknown) => ReactNode
  children: ReactNode
}

interface State {
  failed: { error: unknown } | null
}

/** React offers no other form than a class for this. Give it a `key` to try again at another address. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: null }

  static getDerivedStateFromError(error: unknown): State {
    return { failed: { error } }
  }

  override render() {
    const { failed } = this.state
    return failed ? this.props.fallback(failed.error) : this.props.children
  }
}
