import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormErrors, formErrorsOf } from './form-errors.ts'

/** What a form needs to know about its call. */
export interface FormCall {
  isPending: boolean
  errors: FormErrors
}

/** A call made by a form: its errors are shown in the form, not as a toast. */
export function useFormCall<Input, Output>(
  run: (input: Input) => Promise<Output>,
  afterwards?: (client: QueryClient, output: Output) => unknown,
) {
  const client = useQueryClient()
  const { error, ...call } = useMutation({
    meta: { silent: true },
    mutationFn: run,
    onSuccess: (output) => afterwards?.(client, output),
  })
  return { ...call, errors: formErrorsOf(error) }
}
