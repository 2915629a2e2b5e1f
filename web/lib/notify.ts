import { createStore } from './create-store.ts'

export interface Notice {
  title: string
  description?: string
  action?: { label: string; onClick: () => void }
  onClose?: () => void
  /** A notice with the same id replaces the one on the screen. */
  id?: string
  isPersistent?: boolean
}

/** True from the first toast on: the toaster is loaded and mounted only then, and shows the toasts it missed. */
export const isToasterWanted = createStore(false)

const NOTICE_MS = 8000
const MESSAGE_MS = 3000

type Tone = 'error' | 'info' | 'success'

/** Does nothing when the toaster cannot be loaded: without a connection the offline banner is enough. */
async function withToaster(show: (toast: typeof import('sonner')['toast']) => void) {
  isToasterWanted.set(true)
  const sonner = await import('sonner').catch(() => null)
  if (sonner) show(sonner.toast)
}

function showNotice(tone: Tone, { title, onClose, isPersistent, ...rest }: Notice) {
  void withToaster((toast) =>
    toast[tone](title, {
      ...rest,
      duration: isPersistent ? Number.POSITIVE_INFINITY : NOTICE_MS,
      onDismiss: () => onClose?.(),
      onAutoClose: () => onClose?.(),
    }),
  )
}

function showMessage(tone: Tone, text: string) {
  void withToaster((toast) => toast[tone](text, { position: 'top-center', duration: MESSAGE_MS, closeButton: false }))
}

/** Toasts at the top right; sonner is loaded with the first one. */
export const notify = {
  error: (notice: Notice) => showNotice('error', notice),
  info: (notice: Notice) => showNotice('info', notice),
  success: (notice: Notice) => showNotice('success', notice),
  close: (id: string) => void withToaster((toast) => toast.dismiss(id)),
}

/** Short messages at the top centre, for three seconds. */
export const message = {
  error: (text: string) => showMessage('error', text),
  success: (text: string) => showMessage('success', text),
}
