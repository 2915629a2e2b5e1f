import { type CSSProperties, useLayoutEffect, useState } from 'react'
import { Toaster as Sonner, useSonner } from 'sonner'
import { useTheme } from '#web/lib/theme.ts'
import { CircleAlert, CircleCheck, Info, X } from '#web/ui/icons.ts'
import './toaster.css'

const variables = {
  '--normal-bg': 'var(--surface)',
  '--normal-bg-hover': 'var(--hover)',
  '--normal-border': 'var(--line)',
  '--normal-border-hover': 'var(--line-strong)',
  '--normal-text': 'var(--ink)',
  '--border-radius': '10px',
  '--width': '22rem',
  fontFamily: 'inherit',
} as CSSProperties

const GAP = 12
const BAR = 56
/** A title below this is in the middle of the page, not at its head. */
const HEAD = 140

/** Where toasts begin: below the bar and the title, so that they cover neither these nor the links beside them. */
export function toastTop(bar: number, title: { top: number; bottom: number } | null): number {
  const isAtHead = title !== null && title.top < HEAD && title.bottom > 0
  return Math.max(bar, isAtHead ? title.bottom : 0) + GAP
}

function measureTop(): number {
  // A toast may appear before the bar or the title of a chat that is being opened: they will take this space.
  const bar = document.querySelector('[data-frame-bar]')?.getBoundingClientRect().bottom || BAR
  return toastTop(bar, document.querySelector('h1')?.getBoundingClientRect() ?? null)
}

export function Toaster() {
  const [top, setTop] = useState(GAP)
  const { length } = useSonner().toasts
  // Measured with the first toast only, so that toasts on the screen do not jump.
  useLayoutEffect(() => {
    if (length === 1) setTop(measureTop())
  }, [length])
  return (
    <Sonner
      theme={useTheme()}
      position="top-right"
      offset={{ top, right: 16 }}
      mobileOffset={{ top, left: 16, right: 16 }}
      style={variables}
      closeButton
      containerAriaLabel="Уведомления"
      icons={{
        error: <CircleAlert size={20} className="text-danger" />,
        info: <Info size={20} className="text-accent-ink" />,
        success: <CircleCheck size={20} className="text-success" />,
        close: <X size={16} />,
      }}
      toastOptions={{ closeButtonAriaLabel: 'Закрыть уведомление' }}
    />
  )
}
