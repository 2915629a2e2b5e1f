import { useEffect, useState } from 'react'
import { message } from './notify.ts'

/** Copies a text to the clipboard; false when the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

const FAILED = 'Браузер не дал скопировать. Выделите текст и скопируйте сами.'

export async function copyAndReport(text: string, success = 'Текст скопирован', failure = FAILED): Promise<boolean> {
  const isCopied = await copyText(text)
  if (isCopied) message.success(success)
  else message.error(failure)
  return isCopied
}

const SHOWN_MS = 2000

/** For a button that shows for a moment that the text is copied. */
export function useCopy(text: string | (() => string), onFailure: () => void = () => message.error(FAILED)) {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    if (await copyText(typeof text === 'string' ? text : text())) setIsCopied(true)
    else onFailure()
  }
  return { isCopied, copy: () => void copy() }
}

/** For pages without HTTPS and browsers that deny the clipboard API: selects a hidden field and copies it. */
function copySelected(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.setAttribute('aria-hidden', 'true')
  field.className = 'fixed top-0 left-0 opacity-0'
  document.body.append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  return isDone
}
