import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { holdReload } from '#web/lib/hold-reload.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

/**
 * Protects unsaved changes: the browser asks before the tab is closed, our dialog before another page of the app.
 * `leaving` is set while the dialog is open; its `go` continues the navigation.
 */
export function useLeaveGuard(hasUnsavedChanges: boolean) {
  const [, navigate] = useLocation()
  const [leaving, setLeaving] = useState<{ go: () => void } | null>(null)
  useEffect(() => {
    if (!hasUnsavedChanges) return
    const release = holdReload('unsaved form')
    const listening = new AbortController()
    const { signal } = listening
    addEventListener('beforeunload', (event) => event.preventDefault(), { signal })
    const askToLeave = (address: string, go = () => navigate(address)) =>
      setLeaving({
        go: () => {
          listening.abort()
          go()
        },
      })
    if ('navigation' in window) watchNavigation(signal, askToLeave)
    else watchLinks(signal, askToLeave)
    return () => {
      listening.abort()
      release()
    }
  }, [hasUnsavedChanges, navigate])
  return { leaving, stay: () => setLeaving(null) }
}

type AskToLeave = (address: string, go?: () => void) => void

/** Catches links, shortcuts and «Back». `replace` is not caught: the app uses it for redirects and after saving. */
function watchNavigation(signal: AbortSignal, askToLeave: AskToLeave): void {
  navigation.addEventListener(
    'navigate',
    (event) => {
      const { destination, navigationType, cancelable } = event
      const address = otherPagePath(destination.url)
      if (!cancelable || !address || !destination.sameDocument) return
      if (navigationType !== 'push' && navigationType !== 'traverse') return
      event.preventDefault()
      askToLeave(address, navigationType === 'traverse' ? () => navigation.traverseTo(destination.key) : undefined)
    },
    { signal },
  )
}

/** For browsers without the Navigation API: only links are caught. */
function watchLinks(signal: AbortSignal, askToLeave: AskToLeave): void {
  document.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
      const address = link && !link.target && !event.ctrlKey && !event.metaKey ? otherPagePath(link.href) : null
      if (!address) return
      event.preventDefault()
      event.stopPropagation()
      askToLeave(address)
    },
    { signal, capture: true },
  )
}

/** The path of another page of the app, else null: a link within this page is not leaving. */
function otherPagePath(url: string): string | null {
  const { origin, pathname, search, hash } = new URL(url)
  return origin === location.origin && pathname !== location.pathname ? pathname + search + hash : null
}

interface LeaveDialogProps {
  open: boolean
  text?: string
  onStay: () => void
  onLeave: () => void
}

const UNSAVED = 'Изменения ещё не сохранены. Если уйти сейчас, они пропадут.'

export function LeaveDialog({ open, text = UNSAVED, onStay, onLeave }: LeaveDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onStay}
      title="Уйти без сохранения?"
      footer={
        <>
          <Button variant="ghost" onClick={onLeave}>
            Уйти без сохранения
          </Button>
          <Button variant="primary" onClick={onStay}>
            Остаться
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  )
}
