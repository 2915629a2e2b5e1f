import { toasterHost } from './toaster-host.ts'

export interface Notice {
  title: string
  description?: string
  action?: { label: string; onClick: () => void }
  onClose?: () => void
  /** A notice with the same id replaces the one on the screen. */
  id?: string
  /** Stays until it is closed by hand. */
  stays?: boolean
}

const NOTICE_MS = 8000
const MESSAGE_MS = 3000

type Tone = 'error' | 'info' | 'success'

async function openToaster() {
  toasterHost.want()
  return (await import('sonner')).toast
}

function showNotice(tone: Tone, { title, onClose, stays, ...rest }: Notice) {
  void openToaster().then((toast) =>
    toast[tone](title, {
      ...rest,
      duration: stays ? Number.POSITIVE_INFINITY : NOTICE_MS,
      onDismiss: () => onClose?.(),
      onAutoClose: () => onClose?.(),
    }),
  )
}

function showMessage(tone: Tone, text: string) {
  void openToaster().then((toast) =>
    toast[tone](text, { position: 'top-center', duration: MESSAGE_MS, closeButton: false }),
  )
}

/** Top right; sonner comes with the first one. */
export const notify = {
  error: (notice: Notice) => showNotice('error', notice),
  info: (notice: Notice) => showNotice('info', notice),
  success: (notice: Notice) => showNotice('success', notice),
  close: (id: string) => void openToaster().then((toast) => toast.dismiss(id)),
}

/** Top centre, gone after three seconds. */
export const message = {
  error: (text: string) => showMessage('error', text),
  success: (text: string) => showMessage('success', text),
}
