import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import type { CSSProperties } from 'react'
import { Toaster as Sonner } from 'sonner'
import { useTheme } from '#web/lib/theme.ts'
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

export function Toaster() {
  return (
    <Sonner
      theme={useTheme()}
      position="top-right"
      style={variables}
      closeButton
      containerAriaLabel="Уведомления"
      icons={{
        error: <CircleAlert size={20} className="text-danger" aria-hidden="true" />,
        info: <Info size={20} className="text-accent-ink" aria-hidden="true" />,
        success: <CircleCheck size={20} className="text-success" aria-hidden="true" />,
        close: <X size={16} aria-hidden="true" />,
      }}
      toastOptions={{ closeButtonAriaLabel: 'Закрыть уведомление' }}
    />
  )
}
