import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from '../../../server/config.ts';
import { getIpAddressKey } from '../../../server/platform/connections/address.ts';

test('an IPv4 address is counted by itself, also when it arrives as IPv6', () => {
  assert.equal(getIpAddressKey('192.0.2.7'), '192.0.2.7');
  assert.equal(getIpAddressKey('::ffff:192.0.2.7'), '192.0.2.7');
});

test('an IPv6 address is counted with its network of 64 bits, however it is written', () => {
  for (const same of ['2001:db8:0:1::1', '2001:db8::1:ffff:2:3:4', '2001:0DB8:0000:0001:9:8:7:6']) {
    assert.equal(getIpAddressKey(same), '2001:db8:0:1::/64');
  }
  assert.equal(getIpAddressKey('2001:db8:0:2::1'), '2001:db8:0:2::/64');
  // Spellings of the IP address that a proxy may send.
  for (const same of ['::ffff:c000:207', '0:0:0:0:0:FFFF:192.0.2.7', '0:0:0:0:0:ffff:c000:0207%eth0'])
    assert.equal(getIpAddressKey(same), '192.0.2.7');
  assert.equal(getIpAddressKey('::1'), '0:0:0:0::/64');
  for (const zone of ['eth0', 'br-lan', 'eth0.20', 'veth:1'])
    assert.equal(getIpAddressKey(`fe80::1%${zone}`), 'fe80:0:0:0::/64');
});

test('a proxy that is no address and no network is a mistake in the settings', () => {
  const read = (value: string) => readConfig({ TRUST_PROXY: value }).trustProxy;
  for (const wrong of [
    '10.0.0.0/33',
    '10.0.0.1/',
    '::1/129',
    'proxy',
    '10.0.0.1,10.0.0.0/99',
    '::ffff:10.0.0.0/8',
  ]) {
    assert.throws(() => read(wrong), ConfigError, wrong);
  }
  assert.deepEqual(read('loopback, 10.0.0.0/8,2001:db8::/32'), ['loopback', '10.0.0.0/8', '2001:db8::/32']);
  assert.deepEqual(read('::ffff:10.0.0.0/104'), ['::ffff:10.0.0.0/104']);
  assert.deepEqual(['true', 'false', '2'].map(read), [true, false, 2]);
});
