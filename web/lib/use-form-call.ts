import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { callErrorText } from './error-text.ts'
import type { FormErrors } from './form-errors.ts'

export interface FormCall {
  isPending: boolean
  errors: FormErrors
}

let texts: typeof import('./form-errors.ts') | null = null

/** The texts of errors are loaded beside the first call, not with the page. */
async function withTexts<Output>(run: () => Promise<Output>): Promise<Output> {
  const loaded = import('./form-errors.ts').catch(() => null)
  try {
    return await run()
  } catch (error) {
    texts ??= await loaded
    throw error
  }
}

/** A call made by a form: its errors are shown in the form, not as a toast. */
export function useFormCall<Input, Output>(
  run: (input: Input) => Promise<Output>,
  onSuccess?: (client: QueryClient, output: Output) => unknown,
) {
  const client = useQueryClient()
  const { error, ...call } = useMutation({
    meta: { silent: true },
    mutationFn: (input: Input) => withTexts(() => run(input)),
    onSuccess: (output) => onSuccess?.(client, output),
  })
  return { ...call, errors: errorsOf(error) }
}

function errorsOf(error: Error | null): FormErrors {
  if (!error) return {}
  return texts ? texts.formErrorsOf(error) : { form: callErrorText(error) }
}
