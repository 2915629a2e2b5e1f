import type { ReactNode } from 'react'
import { TitledModal } from './dialog.tsx'

interface SidePanelProps {
  title: string
  onClose: () => void
  children: ReactNode
  /** Action buttons. */
  footer?: ReactNode
}

const sideStyle = {
  modal: 'm-0 ml-auto h-dvh max-h-none w-[min(36rem,100vw)] max-w-none border-l open:animate-[appear_140ms_ease-out]',
  frame: 'h-full',
  title: 'border-b wrap-anywhere',
  body: 'flex-1 p-5',
}

/** Details of a row beside the list; on phones they cover it. */
export function SidePanel(props: SidePanelProps) {
  return <TitledModal open {...props} style={sideStyle} />
}
