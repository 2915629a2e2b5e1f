import { type Ref, type TextareaHTMLAttributes, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import { classNames } from '#web/lib/class-names.ts'

interface GrowingFieldProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  ref?: Ref<HTMLTextAreaElement>
}

/** A field that grows with its text up to 40 % of the window. Most browsers do this in CSS. */
export function GrowingField({ ref, className, value, ...rest }: GrowingFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => field.current as HTMLTextAreaElement)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const element = field.current
    if (!element || CSS.supports('field-sizing', 'content')) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [value])

  return (
    <textarea
      {...rest}
      ref={field}
      value={value}
      rows={1}
      className={classNames(
        'block field-sizing-content max-h-[40dvh] w-full resize-none overflow-x-hidden bg-transparent outline-none wrap-anywhere',
        className,
      )}
    />
  )
}
