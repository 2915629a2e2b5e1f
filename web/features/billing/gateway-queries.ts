import { gatewaysApi } from '#contract/gateways.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { useFormCall } from '#web/lib/use-form-call.ts'

export const gatewaysQuery = callQuery(['gateways'], gatewaysApi.list, {})

export const useCheckGateway = () => useFormCall((name: string) => api(gatewaysApi.check, { params: { name } }))
